import { readdirSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readEgressFile } from '../../src/sending/egress/egress-file.js';
import { loadEnv } from '../../src/platform/config/env.js';

/* What is looked into is plain YAML, whose shape these tests tell. */
/* eslint-disable @typescript-eslint/no-explicit-any */
const DIRECTORY = 'docs/kubernetes';
const read = (name: string) => readFileSync(join(DIRECTORY, name), 'utf8');
const kustomization = parse(read('kustomization.yaml'));
const documents = (kustomization.resources as string[]).flatMap((name) => parseAllDocuments(read(name)));
const manifests: any[] = documents.map((one) => one.toJS());
const of = (kind: string, name: string) => manifests.find((one) => one.kind === kind && one.metadata.name === name);
const environment = parseEnv(read('mailsonde.env')) as Record<string, string>;
const workloads = [
  ['api', of('Deployment', 'api')],
  ['worker', of('StatefulSet', 'worker')],
] as const;
const containerOf = (workload: any) => workload.spec.template.spec.containers[0];

/** Groups and versions in which Kubernetes 1.27 and later serve these kinds. */
const VERSIONS: Readonly<Record<string, string>> = {
  Namespace: 'v1',
  Service: 'v1',
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
};

describe('the manifests', () => {
  it('the manifests are YAML without a key twice, of kinds in versions that clusters serve, and all named by the kustomization', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    for (const { kind, apiVersion } of manifests) expect([kind, apiVersion]).toEqual([kind, VERSIONS[kind]]);
    const files = readdirSync(DIRECTORY).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
    expect(files.toSorted()).toEqual([...(kustomization.resources as string[])].toSorted());
    expect(new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(manifests.length);
  });

  it('the manifests set what the service knows, with values that it takes', () => {
    const files = Object.keys(environment).filter((name) => name.endsWith('_FILE') && name !== 'EGRESS_FILE');
    expect(files).toEqual(['DATABASE_URL_FILE', 'REDIS_URL_FILE', 'SECRETS_KEY_FILE']);
    const known = new Set([...readFileSync('.env.example', 'utf8').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name));
    const theirs = new Set([...files, 'NODE_OPTIONS']);
    for (const [role, workload] of workloads) {
      const own: { name: string; value?: string }[] = containerOf(workload).env;
      const names = [...Object.keys(environment), ...own.map(({ name }) => name)];
      expect(names.filter((name) => !known.has(name) && !theirs.has(name))).toEqual([]);
      const values = Object.fromEntries(own.map(({ name, value }) => [name, value]));
      const set = { ...environment, ...values };
      for (const name of files) delete set[name];
      expect(loadEnv(set)).toMatchObject({ role, metricsPort: 9464, host: '0.0.0.0' });
    }
  });

  it('the manifests ask for health where the service tells it, on the port of metrics', () => {
    for (const [, workload] of workloads) {
      const { ports, startupProbe, readinessProbe, livenessProbe } = containerOf(workload);
      expect(ports).toContainEqual({ name: 'metrics', containerPort: Number(environment['METRICS_PORT']) });
      for (const probe of [startupProbe, livenessProbe])
        expect(probe.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
      expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'metrics' });
      expect(workload.spec.template.spec.terminationGracePeriodSeconds).toBe(45);
    }
  });

  it('the manifests mount each secret that a variable names a file of, and name none in the open', () => {
    for (const [, workload] of workloads) {
      const mounts: { name: string; mountPath: string }[] = containerOf(workload).volumeMounts;
      const folders = mounts.map(({ mountPath }) => mountPath);
      for (const [name, path] of Object.entries(environment))
        if (name.endsWith('_FILE')) expect(folders).toContain(path.slice(0, path.lastIndexOf('/')));
      const volumes: { name: string }[] = workload.spec.template.spec.volumes;
      expect(mounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
    }
    expect(Object.keys(environment)).not.toContain('SECRETS_KEY');
  });

  it('the manifests choose pods by the labels that pods have', () => {
    for (const [role, workload] of workloads) {
      const { labels } = workload.spec.template.metadata;
      expect(workload.spec.selector.matchLabels).toEqual(labels);
      expect(of('Service', role).spec.selector).toEqual(labels);
      expect(of('PodDisruptionBudget', role).spec.selector.matchLabels).toEqual(labels);
      expect(of('NetworkPolicy', role).spec.podSelector.matchLabels).toEqual(labels);
    }
    expect(of('HorizontalPodAutoscaler', 'api').spec.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: 'api' });
    expect(of('StatefulSet', 'worker').spec.serviceName).toBe(of('Service', 'worker').metadata.name);
  });

  it('the manifests let no container write to its file system, gain rights or run as root', () => {
    for (const [, workload] of workloads) {
      const { securityContext } = workload.spec.template.spec;
      expect(securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(containerOf(workload).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('the manifests let mail servers reach the receiver of every worker, with the address from which they connect', () => {
    const { type, externalTrafficPolicy, selector, ports } = of('Service', 'receiver').spec;
    expect([type, externalTrafficPolicy]).toEqual(['LoadBalancer', 'Local']);
    expect(selector).toEqual(of('StatefulSet', 'worker').spec.template.metadata.labels);
    expect(ports).toEqual([{ name: 'smtp', port: 25, targetPort: 'smtp' }]);
    const containerPort = Number(environment['INBOUND_PORT']);
    expect(containerOf(of('StatefulSet', 'worker')).ports).toContainEqual({ name: 'smtp', containerPort });
    expect(of('NetworkPolicy', 'worker').spec.ingress).toContainEqual({ ports: [{ port: containerPort }] });
  });

  it('the manifests let the service connect to private addresses for its DNS, PostgreSQL and Redis alone', () => {
    const { podSelector, policyTypes, egress } = of('NetworkPolicy', 'egress').spec;
    for (const [, workload] of workloads)
      expect(workload.spec.template.metadata.labels).toMatchObject(podSelector.matchLabels);
    expect(policyTypes).toEqual(['Egress']);
    const [inside, outside, ...more] = egress;
    expect(more).toEqual([]);
    expect(inside.to).toBeUndefined();
    expect(inside.ports.map(({ port }: { port: number }) => port)).toEqual([53, 53, 5432, 6379]);
    const isOpen = (address: string): boolean =>
      outside.to.some(({ ipBlock: { cidr, except } }: { ipBlock: { cidr: string; except: string[] } }) => {
        const within = (network: string) => {
          const [base, bits] = network.split('/') as [string, string];
          const list = new BlockList();
          const family = (text: string) => (text.includes(':') ? 'ipv6' : 'ipv4');
          if (family(base) !== family(address)) return false;
          list.addSubnet(base, Number(bits), family(base));
          return list.check(address, family(address));
        };
        return within(cidr) && !except.some(within);
      });
    expect(['8.8.8.8', '2001:4860:4860::8888'].map(isOpen)).toEqual([true, true]);
    const ours = [
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '192.168.1.1',
      '::1',
      'fd00:ec2::254',
      'fe80::1',
    ];
    expect(ours.filter(isOpen)).toEqual([]);
  });

  it('the manifests give each worker the source of its name', () => {
    const sources = readEgressFile(join(DIRECTORY, 'egress.json'), 'egress.json').sources.map(({ name }) => name);
    const { replicas } = of('StatefulSet', 'worker').spec;
    expect(sources).toEqual(Array.from({ length: replicas }, (_, n) => `worker-${n}`));
    expect(containerOf(of('StatefulSet', 'worker')).env).toContainEqual({
      name: 'EGRESS',
      valueFrom: { fieldRef: { fieldPath: 'metadata.name' } },
    });
  });
});
