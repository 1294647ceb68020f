import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { neededFor } from './access/audience.js';
import { PublicRoute, Route, Routes } from './route.decorator.js';

describe('routes and what keys need for them', () => {
  it('a route needs what its controller says, unless it says something else itself', () => {
    @Routes('api/v1/things', { tag: 'Things', needs: 'lists' })
    class Things {
      @Route.get('', 'listThings', 'Things', { ok: Object })
      list() {
        return {};
      }

      @Route.get(':id/results', 'getThings', 'Results', { needs: ['lists', 'results'], ok: Object })
      results() {
        return {};
      }
    }
    expect(neededFor(Things, 'list')).toEqual(['lists']);
    expect(neededFor(Things, 'results')).toEqual(['lists', 'results']);
  });

  it('a route of which nobody says what a key needs is refused when its file is loaded, for it would let every key in', () => {
    class Unsaid {
      @Route.get('', 'getThing', 'A thing', { ok: Object })
      get() {
        return {};
      }
    }
    expect(() => Routes('api/v1/things', { tag: 'Things' })(Unsaid)).toThrow(
      'Unsaid.get does not say what permissions it needs',
    );
  });

  it('a route that takes no key needs nothing of a key', () => {
    class Open {
      @PublicRoute.get('', 'getThing', 'A thing', { ok: Object })
      get() {
        return {};
      }
    }
    expect(() => Routes('api/v1/things', { tag: 'Things' })(Open)).not.toThrow();
  });
});
