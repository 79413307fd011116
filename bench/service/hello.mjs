import Fastify from 'fastify';

/** What any service on this stack could reach at most: no key, no limit, no database. */
const instance = Fastify();
instance.get('/', async () => ({ hello: 'world' }));
console.log(await instance.listen({ host: '127.0.0.1', port: 0 }));
