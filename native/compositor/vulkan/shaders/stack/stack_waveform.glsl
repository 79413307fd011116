// Waveform bars with round ends, as cpu/layers/draw_waveform.cc.

const float kSoftEdge = 0.5;

float distanceTo(vec2 at, vec2 halfSize) {
  const float radius = min(halfSize.x, halfSize.y);
  const vec2 d = at - (halfSize - radius);
  return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - radius;
}

// kColumnFirst, kColumnEnd, kRowFirst and kRowEnd are the window in pixels here.
int pixelWeight(uint record, int x, int y) {
  const int first = field(record, kColumnFirst), end = field(record, kColumnEnd);
  const int top = field(record, kRowFirst), bottom = field(record, kRowEnd);
  if (x < first || x >= end || y < top || y >= bottom) return 0;
  const float pitch = floatField(record, kBarPitch);
  int bar;
  float across, v;
  if (field(record, kBoxColumns) != 0) {
    const uint column = uint(field(record, kBoxColumns) + 2 * x);
    bar = int(tables[column]);
    across = uintBitsToFloat(tables[column + 1u]);
    v = uintBitsToFloat(tables[uint(field(record, kBoxRows) + y)]);
  } else {
    const vec2 middle = vec2(x, y) + 0.5;
    const float u = floatField(record, kBox) * middle.x + floatField(record, kBox + 1) * middle.y + floatField(record, kBox + 2);
    const float along = floatField(record, kBox + 3) * middle.x + floatField(record, kBox + 4) * middle.y + floatField(record, kBox + 5);
    v = abs(along - floatField(record, kBoxHeight) / 2.0);
    bar = clamp(int((u + 1.0 / 1024.0) / pitch), 0, field(record, kBarCount) - 1);
    across = abs(u - (float(bar) + 0.5) * pitch);
  }
  const vec2 halfSize = vec2(floatField(record, kHalfBar), uintBitsToFloat(tables[uint(field(record, kBars) + bar)]));
  if (across >= halfSize.x + kSoftEdge || v >= halfSize.y + kSoftEdge) return 0;
  const float shown = clamp(kSoftEdge - distanceTo(vec2(across, v), halfSize), 0.0, 1.0) * floatField(record, kBoxOpacity);
  const int weight = int(floor(clamp(shown, 0.0, 1.0) * float(kFullWeight) + 0.5));
  const int column = x == first ? field(record, kFirstColumnWeight) : x == end - 1 ? field(record, kLastColumnWeight) : kFullWeight;
  const int row = y == top ? field(record, kFirstRowWeight) : y == bottom - 1 ? field(record, kLastRowWeight) : kFullWeight;
  return weightProduct(ivec4(weight), weightProduct(ivec4(column), ivec4(row))).x;
}

ivec4 waveformWeights(uint record, int x, int y) {
  ivec4 weights;
  for (int i = 0; i < 4; ++i) {
    if (kGroup == 0) {
      weights[i] = pixelWeight(record, x + i, y);
      continue;
    }
    // The edge of an odd canvas is extended.
    const int left = 2 * (x + i), top = 2 * y;
    const int right = min(left + 1, push.surface.width - 1), bottom = min(top + 1, push.surface.height - 1);
    weights[i] = (pixelWeight(record, left, top) + pixelWeight(record, right, top) + pixelWeight(record, left, bottom) +
                  pixelWeight(record, right, bottom) + 2) / 4;
  }
  return weights;
}
