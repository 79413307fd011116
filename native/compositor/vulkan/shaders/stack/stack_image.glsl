// Samples of axis-aligned images: copied, or filtered bit-exactly as kernels/resample.cc.

int weightOf(uint table, int tap) {
  return bitfieldExtract(int(tables[table + uint(tap >> 1)]), (tap & 1) * 16, 16);
}

// Horizontally filtered samples of one row with 6 fraction bits.
int filteredAcross(uint source, uint row, int firstTap, uint weights, int taps, int left, int right) {
  int sum = 0;
  if (firstTap >= left && firstTap + taps - 1 <= right) {
    for (int t = 0; t < taps; t += 4) {
      const ivec4 four = unpack(readSourceWord(source, int(row) + firstTap + t));
      sum += four.x * weightOf(weights, t) + four.y * weightOf(weights, t + 1) + four.z * weightOf(weights, t + 2) +
             four.w * weightOf(weights, t + 3);
    }
  } else {
    for (int t = 0; t < taps; ++t) {
      sum += readSource(source, row + uint(clamp(firstTap + t, left, right))) * weightOf(weights, t);
    }
  }
  return clamp((sum + 128) >> 8, -32768, 32767);
}

ivec4 filtered(uint record, uint from, uint source, int plane, int x, int y) {
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
  ivec4 sum = ivec4(16);
  for (int t = 0; t < rowTaps; ++t) {
    const int weight = weightOf(rowWeights, t);
    if (weight == 0) continue;
    const uint line = uint(field(from, kPlanes + plane)) +
                      uint(clamp(firstTap + t, top, bottom)) * uint(field(from, kStride));
    ivec4 across;
    for (int i = 0; i < 4; ++i) across[i] = filteredAcross(source, line, firsts[i], weights[i], taps, left, right);
    sum += weigh(across, ivec4(weight));
  }
  return clamp(sum >> 5, 0, 255);
}

ivec4 sampled(uint record, uint from, uint source, int plane, int x, int y) {
  const bool copied = has(kCopiedKind) && (!has(kFilteredKind) || field(from, kTaps) == 0);
  if (!copied) return filtered(record, from, source, plane, x, y);
  const int stride = field(from, kStride);
  return unpack(readSourceWord(source, field(from, kPlanes + plane) + (y + field(from, kStepY)) * stride + x + field(from, kStepX)));
}

ivec4 imageSamplesOf(uint record, uint source, int plane, int x, int y) {
  const ivec4 fine = sampled(record, record + uint(kSampler), source, plane, x, y);
  const int towardsNext = field(record, kTowardsNext);
  if (!has(kFilteredKind) || towardsNext == 0) return fine;
  return lerp(fine, sampled(record, record + uint(kSampler + kSamplerWords), source, plane, x, y), ivec4(towardsNext));
}

Samples imageSamples(uint record, int kind, bool hasAlpha, int x, int y) {
  const uint source = uint(field(record, kSource));
  Samples samples;
  samples.first = imageSamplesOf(record, source, 0, x, y);
  if (kGroup == 1) samples.second = imageSamplesOf(record, source, 1, x, y);
  if (hasAlpha) samples.alpha = imageSamplesOf(record, source, 2, x, y);
  return samples;
}
