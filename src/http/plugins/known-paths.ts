import type { FastifyInstance } from 'fastify';

/** Which methods a path has, for 405: the router itself only knows "no such method and path". */
export interface KnownPaths {
  methodsOf(url: string): string[];
}

/** Sees the routes that are registered after it. */
export function watchPaths(instance: FastifyInstance): KnownPaths {
  const routes: Array<{ segments: string[]; methods: string[] }> = [];
  instance.addHook('onRoute', (route) => {
    routes.push({ segments: route.url.split('/'), methods: [route.method].flat() });
  });
  return {
    methodsOf(url) {
      const segments = (url.split('?', 1)[0] ?? '').split('/');
      const methods = routes.filter((route) => matches(route.segments, segments)).flatMap((route) => route.methods);
      return [...new Set(methods)].sort();
    },
  };
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length && pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]));
}
