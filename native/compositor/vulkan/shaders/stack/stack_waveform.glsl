// Waveforms, as compositor/plan/waveform_bars.cc.

const float kSoftEdge = 0.5, kFar = 1e6;

float distanceTo(vec2 at, vec2 halfSize) {
  const float radius = min(halfSize.x, halfSize.y);
  const vec2 d = at - (halfSize - radius);
  return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - radius;
}

vec2 boxPoint(uint record, int x, int y) {
  const vec2 middle = vec2(x, y) + 0.5;
  return vec2(floatField(record, kBox) * middle.x + floatField(record, kBox + 1) * middle.y +
                  floatField(record, kBox + 2),
              floatField(record, kBox + 3) * middle.x + floatField(record, kBox + 4) * middle.y +
                  floatField(record, kBox + 5));
}

float barField(uint record, int index) { return uintBitsToFloat(tables[uint(field(record, kBars) + index)]); }

float outsideOfRow(uint record, int x, int y) {
  int bar;
  float across, v;
  if (field(record, kBoxColumns) != 0) {
    const uint column = uint(field(record, kBoxColumns) + 2 * x);
    bar = int(tables[column]);
    across = uintBitsToFloat(tables[column + 1u]);
    v = uintBitsToFloat(tables[uint(field(record, kBoxRows) + y)]);
  } else {
    const vec2 at = boxPoint(record, x, y);
    const float pitch = floatField(record, kBarPitch);
    v = at.y - floatField(record, kBaseline);
    bar = clamp(int((at.x + 1.0 / 1024.0) / pitch), 0, field(record, kBarCount) - 1);
    across = abs(at.x - (float(bar) + 0.5) * pitch);
  }
  const float outline =
      distanceTo(vec2(across, abs(v)), vec2(floatField(record, kHalfBar), barField(record, bar)));
  return max(outline, v - floatField(record, kCut));
}

float outsideOfLine(uint record, vec2 at) {
  const float pitch = floatField(record, kBarPitch);
  const int middle = int(floor(at.x / pitch)), reach = field(record, kLineReach);
  float nearest = kFar;
  for (int i = max(0, middle - reach); i <= min(field(record, kBarCount) - 2, middle + reach); ++i) {
    const float start = barField(record, i);
    const vec2 segment = vec2(pitch, barField(record, i + 1) - start),
               from = at - vec2(float(i) * pitch, start);
    const vec2 away = from - clamp(dot(from, segment) / dot(segment, segment), 0.0, 1.0) * segment;
    nearest = min(nearest, dot(away, away));
  }
  const vec2 beyond = max(-at, at - vec2(floatField(record, kBoxWidth), floatField(record, kBoxHeight)));
  return max(sqrt(nearest) - floatField(record, kHalfBar), max(beyond.x, beyond.y));
}

float outsideOfCircle(uint record, vec2 at) {
  const vec2 from = at - vec2(floatField(record, kBoxWidth), floatField(record, kBoxHeight)) / 2.0;
  const float radius = floatField(record, kRadius);
  if (dot(from, from) < (radius - 1.0) * (radius - 1.0)) return kFar;
  const int count = field(record, kBarCount);
  const int bar = int(atan(from.x, -from.y) / 6.28318530718 * float(count) + float(count) + 0.5 + 1.0 / 1024.0) % count;
  const uint direction = uint(field(record, kDirections) + 2 * bar);
  const vec2 along = vec2(uintBitsToFloat(tables[direction]), uintBitsToFloat(tables[direction + 1u]));
  const float halfHeight = barField(record, bar);
  const vec2 inBar =
      vec2(abs(from.x * along.y - from.y * along.x), abs(dot(from, along) - radius - halfHeight));
  return distanceTo(inBar, vec2(floatField(record, kHalfBar), halfHeight));
}

// kColumnFirst, kColumnEnd, kRowFirst and kRowEnd are the window in pixels here.
int pixelWeight(uint record, int x, int y) {
  const int first = field(record, kColumnFirst), end = field(record, kColumnEnd);
  const int top = field(record, kRowFirst), bottom = field(record, kRowEnd);
  if (x < first || x >= end || y < top || y >= bottom) return 0;
  const int shape = field(record, kWaveShape);
  const float outside = shape == 0   ? outsideOfRow(record, x, y)
                        : shape == 1 ? outsideOfLine(record, boxPoint(record, x, y))
                                     : outsideOfCircle(record, boxPoint(record, x, y));
  if (outside >= kSoftEdge) return 0;
  const float shown = clamp(kSoftEdge - outside, 0.0, 1.0) * floatField(record, kBoxOpacity);
  const int weight = int(floor(clamp(shown, 0.0, 1.0) * float(kFullWeight) + 0.5));
  const int column = x == first     ? field(record, kFirstColumnWeight)
                     : x == end - 1 ? field(record, kLastColumnWeight)
                                    : kFullWeight;
  const int row = y == top          ? field(record, kFirstRowWeight)
                  : y == bottom - 1 ? field(record, kLastRowWeight)
                                    : kFullWeight;
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
    weights[i] = (pixelWeight(record, left, top) + pixelWeight(record, right, top) +
                  pixelWeight(record, left, bottom) + pixelWeight(record, right, bottom) + 2) /
                 4;
  }
  return weights;
}
