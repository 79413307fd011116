export { connectRedis } from './connect-redis.js';
