// Samples of axis-aligned images: copied, or filtered bit-exactly as kernels/resample.cc, with 16 bits as
// kernels/deep/plane_filters.cc.

int weightOf(uint table, int tap) {
  return bitfieldExtract(int(tables[table + uint(tap >> 1)]), (tap & 1) * 16, 16);
}

#ifdef FRAMEWRIGHT_DEEP
// Sums of Q14 weights as in kernels/deep/plane_filters.cc. They are not limited to 16 bits, so that alpha may overshoot.
int roundedColumns(int sum, int fraction) {
  const int shift = 14 + fraction - kFraction;
  return (sum + (1 << (shift - 1))) >> shift;
}
const int kRowStart = 1 << 13;
ivec4 weighRow(ivec4 across, int weight) { return across * weight; }
ivec4 roundedRows(ivec4 sum) { return sum >> 14; }
#else
// With 6 fraction bits, and to bytes.
int roundedColumns(int sum, int fraction) { return clamp((sum + 128) >> 8, -32768, 32767); }
const int kRowStart = 16;
ivec4 weighRow(ivec4 across, int weight) { return weigh(across, ivec4(weight)); }
ivec4 roundedRows(ivec4 sum) { return clamp(sum >> 5, 0, 255); }
#endif

// Horizontally filtered samples of one row.
int filteredAcross(uint source, uint row, int firstTap, uint weights, int taps, int left, int right, int fraction) {
  int sum = 0;
  if (firstTap >= left && firstTap + taps - 1 <= right) {
    for (int t = 0; t < taps; t += 4) {
      const ivec4 four = readSourceFrom(source, int(row) + firstTap + t);
      sum += four.x * weightOf(weights, t) + four.y * weightOf(weights, t + 1) + four.z * weightOf(weights, t + 2) +
             four.w * weightOf(weights, t + 3);
    }
  } else {
    for (int t = 0; t < taps; ++t) {
      sum += readSource(source, row + uint(clamp(firstTap + t, left, right))) * weightOf(weights, t);
    }
  }
  return roundedColumns(sum, fraction);
}

ivec4 filtered(uint record, uint from, uint source, uint start, int fraction, int x, int y) {
  const int left = field(from, kLeft), right = field(from, kRight), top = field(from, kTop), bottom = field(from, kBottom);
  const int taps = field(from, kTaps), rowTaps = field(from, kRowTaps);
  const int firstColumn = field(record, kColumnFirst), columns = field(record, kColumnEnd) - firstColumn;
  const int firstRow = field(record, kRowFirst), rows = field(record, kRowEnd) - firstRow;
  const uint columnTable = uint(field(from, kColumnTable)), rowTable = uint(field(from, kRowTable));
  const int row = y - firstRow;
  const int firstTap = int(tables[rowTable + uint(row)]);
  const uint rowWeights = rowTable + uint(rows + row * rowTaps / 2);
  ivec4 firsts;
  uvec4 weights;
  for (int i = 0; i < 4; ++i) {
    const int column = clamp(x + i - firstColumn, 0, columns - 1);
    firsts[i] = int(tables[columnTable + uint(column)]);
    weights[i] = columnTable + uint(columns + column * taps / 2);
  }
  ivec4 sum = ivec4(kRowStart);
  for (int t = 0; t < rowTaps; ++t) {
    const int weight = weightOf(rowWeights, t);
    if (weight == 0) continue;
    const uint line = start + uint(clamp(firstTap + t, top, bottom)) * uint(field(from, kStride));
    ivec4 across;
    for (int i = 0; i < 4; ++i) across[i] = filteredAcross(source, line, firsts[i], weights[i], taps, left, right, fraction);
    sum += weighRow(across, weight);
  }
  return roundedRows(sum);
}

bool isCopied(uint from) { return has(kCopiedKind) && (!has(kFilteredKind) || field(from, kTaps) == 0); }

ivec4 copied(uint from, uint source, uint start, int x, int y) {
  return readSourceFrom(source, int(start) + (y + field(from, kStepY)) * field(from, kStride) + x + field(from, kStepX));
}

ivec4 sampled(uint record, uint from, uint source, int plane, int x, int y) {
  const uint start = uint(field(from, kPlanes + plane));
#ifdef FRAMEWRIGHT_DEEP
  // Alpha has no fraction bits to add.
  const int fraction = plane == 2 ? kFraction : field(from, kFractionBits);
  if (isCopied(from)) return copied(from, source, start, x, y) << (kFraction - fraction);
#else
  const int fraction = 0;
  if (isCopied(from)) return copied(from, source, start, x, y);
#endif
  return filtered(record, from, source, start, fraction, x, y);
}

ivec4 imageSamplesOf(uint record, uint source, int plane, int x, int y) {
  const ivec4 fine = sampled(record, record + uint(kSampler), source, plane, x, y);
  const int towardsNext = field(record, kTowardsNext);
  if (!has(kFilteredKind) || towardsNext == 0) return fine;
  return lerp(fine, sampled(record, record + uint(kSampler + kSamplerWords), source, plane, x, y), ivec4(towardsNext));
}

#ifdef FRAMEWRIGHT_DEEP
Rgba rgbaSampled(uint record, uint from, uint source, int x, int y) {
  Rgba pixels;
  for (int channel = 0; channel < 4; ++channel) {
    const uint start = rgbaStart(from, channel);
    pixels.channels[channel] = isCopied(from) ? copied(from, source, start, x, y)
                                              : filtered(record, from, source, start, kFraction, x, y);
  }
  return limited(pixels);
}

Samples rgbaSamples(uint record, uint source, int x, int y) {
  Rgba pixels = rgbaSampled(record, record + uint(kSampler), source, x, y);
  const int towardsNext = field(record, kTowardsNext);
  if (has(kFilteredKind) && towardsNext != 0) {
    const Rgba next = rgbaSampled(record, record + uint(kSampler + kSamplerWords), source, x, y);
    for (int channel = 0; channel < 4; ++channel)
      pixels.channels[channel] = lerp(pixels.channels[channel], next.channels[channel], ivec4(towardsNext));
  }
  return planesOf(pixels);
}
#endif

Samples imageSamples(uint record, int kind, bool hasAlpha, int x, int y) {
  const uint source = uint(field(record, kSource));
#ifdef FRAMEWRIGHT_DEEP
  if (field(record, kHasAlpha) == kRgba) return rgbaSamples(record, source, x, y);
#endif
  Samples samples;
  samples.first = imageSamplesOf(record, source, 0, x, y);
  if (kGroup == 1) samples.second = imageSamplesOf(record, source, 1, x, y);
  if (hasAlpha) samples.alpha = imageSamplesOf(record, source, 2, x, y);
  return samples;
}
