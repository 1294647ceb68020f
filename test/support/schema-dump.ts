import pg from 'pg';

/** Each gives one statement a row, in the order they are printed. Members of extensions and TypeORM's own table are left out. */
const PARTS = [
  `select format('create extension %I;', extname) from pg_extension where extname <> 'plpgsql' order by extname`,

  `select format('create type %I as enum (%s);', typname, string_agg(quote_literal(enumlabel), ', ' order by enumsortorder))
     from pg_type join pg_enum on enumtypid = pg_type.oid
    where typnamespace = 'public'::regnamespace
    group by typname order by typname`,

  `select format('create sequence %I;', relname)
     from pg_class
    where relkind = 'S' and relnamespace = 'public'::regnamespace and relname not like 'migrations%'
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'i')
    order by relname`,

  `select pg_get_functiondef(pg_proc.oid) || ';'
     from pg_proc
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    order by proname, pg_get_function_identity_arguments(pg_proc.oid)`,

  `select format(E'create %stable %I (\\n%s\\n)%s%s;',
            case relpersistence when 'u' then 'unlogged ' else '' end,
            relname,
            (select string_agg('  ' || line, E',\\n' order by kind, place, line) from (
               select 1 as kind, attnum as place,
                      format('%I %s', attname, format_type(atttypid, atttypmod))
                      || case when attcollation not in (0, 'pg_catalog.default'::regcollation)
                              then ' collate ' || attcollation::regcollation else '' end
                      || case when attnotnull then ' not null' else '' end
                      || case when attidentity <> '' then format(' generated %s as identity',
                                case attidentity when 'a' then 'always' else 'by default' end)
                              when attgenerated <> '' then format(' generated always as (%s) stored', pg_get_expr(adbin, adrelid))
                              when adbin is not null then ' default ' || pg_get_expr(adbin, adrelid)
                              else '' end as line
                 from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
                where attrelid = pg_class.oid and attnum > 0 and not attisdropped
               union all
               select 2, 0, format('constraint %I %s', conname, pg_get_constraintdef(pg_constraint.oid))
                 from pg_constraint
                where conrelid = pg_class.oid and contype <> 'n'
             ) as lines),
            case when relkind = 'p' then ' partition by ' || pg_get_partkeydef(pg_class.oid) else '' end,
            case when reloptions is null then '' else format(' with (%s)', array_to_string(reloptions, ', ')) end)
     from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and relname <> 'migrations'
    order by relname`,

  `select format('create table %I partition of %I %s;', part.relname, whole.relname, pg_get_expr(part.relpartbound, part.oid))
     from pg_class as part join pg_inherits on inhrelid = part.oid join pg_class as whole on whole.oid = inhparent
    where part.relkind = 'r' and part.relnamespace = 'public'::regnamespace
    order by part.relname`,

  `select pg_get_indexdef(indexrelid) || ';'
     from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace and not relispartition
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by relname`,

  `select format(E'create view %I as\\n%s', relname, pg_get_viewdef(oid))
     from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace order by relname`,

  `select pg_get_triggerdef(pg_trigger.oid) || ';'
     from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = 'public'::regnamespace
    order by relname, tgname`,

  `select format('comment on %s is %L;',
            case when objsubid = 0 then format('table %I', relname) else format('column %I.%I', relname, attname) end, description)
     from pg_description
     join pg_class on pg_class.oid = objoid and classoid = 'pg_class'::regclass
     left join pg_attribute on attrelid = objoid and attnum = objsubid and objsubid > 0
    where relnamespace = 'public'::regnamespace
    order by relname, objsubid`,
];

/** The whole schema as SQL to read and compare: the same text for the same schema. (Our PostgreSQL comes without pg_dump.) */
export async function dumpSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const statements: string[] = [];
    for (const part of PARTS) {
      const found = await client.query<[string]>({ text: part, rowMode: 'array' });
      statements.push(...found.rows.map(([statement]) => statement.trim()));
    }
    return statements.map((statement) => `${statement}\n`).join('\n');
  } finally {
    await client.end();
  }
}
