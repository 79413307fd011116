// For shaders that compute hidden shares: the target receives Q15 weights, two per word.
layout(local_size_x = 32, local_size_y = 4) in;

void writeWeights(uint stride, int x, int y, ivec4 weights) {
  const uint at = uint(y) * stride + uint(x >> 1);
  target[at] = uint(weights.x) | uint(weights.y) << 16;
  target[at + 1u] = uint(weights.z) | uint(weights.w) << 16;
}
