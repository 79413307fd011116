// A DifferencePlan in the tables: luma, u, v, unitU, unitV, perChroma, wedge, low, steepness, choke, chokeScale, despill,
// lowest level, then the blocks of the ScreenGrid in chroma samples, their number in both directions and 1 / their size.
// Bit-exact with kernels/difference_key.cc and cpu/effects/key/difference_keyer.cc.

float keyField(uint key, uint index) { return uintBitsToFloat(tables[key + index]); }
int gridField(uint key, uint index) { return int(tables[key + 13u + index]); }

float mixOf(uint key, ivec2 chroma) {
  const float u = float(chroma.x) - 128.0, v = float(chroma.y) - 128.0;
  const float unitU = keyField(key, 3u), unitV = keyField(key, 4u);
  precise const float along = u * unitU + v * unitV;
  precise const float across = v * unitU - u * unitV;
  precise const float screen = (along - keyField(key, 6u) * abs(across)) * keyField(key, 5u);
  return screen;
}

float visibleOf(uint key, float share) {
  precise const float hidden = clamp((share - keyField(key, 7u)) * keyField(key, 8u), 0.0, 1.0);
  precise const float visible = clamp((1.0 - hidden - keyField(key, 9u)) * keyField(key, 10u), 0.0, 1.0);
  return visible;
}

float takenOf(uint key, float share) {
  precise const float taken = min(clamp(share, 0.0, 1.0) * keyField(key, 11u), 0.97);
  return taken;
}

float before(float value, float screen, float taken, float level) {
  precise const float remaining = (value - taken * level * screen) / (1.0 - taken);
  return remaining;
}

float mixed(float from, float to, float share) {
  precise const float between = from * (1.0 - share) + to * share;
  return between;
}

// Brightness of the screen at a chroma sample. `source`: the levels of the blocks.
float levelAt(uint key, uint source, int x, int y) {
  const ivec2 blocks = ivec2(gridField(key, 1u), gridField(key, 2u));
  precise const vec2 position = (vec2(x, y) + 0.5) * uintBitsToFloat(tables[key + 16u]) - 0.5;
  const vec2 first = floor(position);
  precise const vec2 share = position - first;
  const ivec2 from = clamp(ivec2(first), ivec2(0), blocks - 1), to = clamp(ivec2(first) + 1, ivec2(0), blocks - 1);
  const uint above = uint(from.y * blocks.x), below = uint(to.y * blocks.x);
  const float upper = mixed(uintBitsToFloat(sources[source].words[above + uint(from.x)]),
                            uintBitsToFloat(sources[source].words[above + uint(to.x)]), share.x);
  const float lower = mixed(uintBitsToFloat(sources[source].words[below + uint(from.x)]),
                            uintBitsToFloat(sources[source].words[below + uint(to.x)]), share.x);
  return mixed(upper, lower, share.y);
}
