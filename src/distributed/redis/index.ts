export { connectRedis, type RedisLink } from './connect-redis.js';
