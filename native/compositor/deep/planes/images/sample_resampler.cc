#include "compositor/deep/planes/images/sample_resampler.h"

#include <algorithm>
#include <utility>

namespace framewright {
namespace {

constexpr int kBlock = kernels::kSampleBlock;

// Fills the block tables unless the taps of a block are too far apart.
void packBlocks(SampleColumnTables& tables) {
  const auto blocks = static_cast<size_t>((tables.count + kBlock - 1) / kBlock);
  const size_t step = blocks * 4 * kBlock;
  tables.blockBases.resize(blocks);
  tables.blockTaps.assign(blocks * 2 * kBlock, 0);
  tables.blockWeights.assign(step * static_cast<size_t>(tables.taps / 4), 0);
  for (size_t block = 0; block < blocks; ++block) {
    const int first = static_cast<int>(block) * kBlock, end = std::min(tables.count, first + kBlock);
    const auto [lowest, highest] =
        std::minmax(tables.firsts[static_cast<size_t>(first)], tables.firsts[static_cast<size_t>(end - 1)]);
    if (highest - lowest + 4 > kernels::kSampleReach) return;
    tables.blockBases[block] = lowest;
    for (int i = first; i < end; ++i) {
      const auto column = static_cast<size_t>(i - first), output = static_cast<size_t>(i);
      uint16_t* const taps = &tables.blockTaps[(block * kBlock + column) * 2];
      taps[0] = static_cast<uint16_t>(tables.firsts[output] - lowest);
      taps[1] = static_cast<uint16_t>(taps[0] + 1);
      for (size_t t = 0; t < static_cast<size_t>(tables.taps); ++t) {
        const size_t half = t % 4 / 2;  // taps 0 and 1, or 2 and 3
        tables.blockWeights[t / 4 * step + block * 4 * kBlock + half * 2 * kBlock + column * 2 + t % 2] =
            tables.weights[output * static_cast<size_t>(tables.taps) + t];
      }
    }
  }
  tables.hasBlocks = true;
}

}  // namespace

SampleColumnTables::SampleColumnTables(AxisFilter filter)
    : count(filter.count),
      taps(filter.taps),
      firsts(std::move(filter.firsts)),
      weights(std::move(filter.weights)) {
  // Positions are monotonic.
  const auto [lowest, highest] = std::minmax(firsts.front(), firsts.back());
  origin = lowest;
  used = highest - lowest + taps;
  lineLength = highest - lowest + kernels::kSampleReach + taps;
  for (int32_t& first : firsts) first -= origin;
  packBlocks(*this);
}

kernels::SampleColumns SampleColumnTables::columns() const {
  return {static_cast<size_t>(count),
          taps,
          firsts.data(),
          weights.data(),
          hasBlocks ? blockBases.data() : nullptr,
          hasBlocks ? blockTaps.data() : nullptr,
          hasBlocks ? blockWeights.data() : nullptr};
}

SampleResampler::SampleResampler(const kernels::CodePlane& plane, const SampleColumnTables& tables,
                                 const AxisFilter& rows)
    : plane_(plane),
      tables_(tables),
      rows_(rows),
      rowLength_(static_cast<size_t>((tables.count + kBlock - 1) / kBlock * kBlock)),
      line_(static_cast<size_t>(tables.lineLength)),
      filtered_(rowLength_ * static_cast<size_t>(rows.taps)),
      cachedRows_(static_cast<size_t>(rows.taps), -1),
      taps_(static_cast<size_t>(rows.taps)) {}

const int16_t* SampleResampler::filteredRow(int row) {
  const int clamped = std::clamp(row, plane_.minY, plane_.maxY);
  const auto slot = static_cast<size_t>(clamped % rows_.taps);
  int16_t* const filtered = &filtered_[slot * rowLength_];
  if (cachedRows_[slot] == clamped) return filtered;
  cachedRows_[slot] = clamped;
  const int16_t* source = plane_.data + static_cast<ptrdiff_t>(clamped) * plane_.stride;
  if (tables_.origin >= plane_.minX && tables_.origin + tables_.lineLength <= plane_.maxX + 1) {
    source += tables_.origin;
  } else {
    // Edge samples are repeated beyond the bounds, so the kernel does not check limits.
    const int begin = tables_.origin, end = begin + tables_.used;
    const int inner = std::clamp(plane_.minX, begin, end), outer = std::clamp(plane_.maxX + 1, inner, end);
    std::fill_n(line_.data(), inner - begin, source[plane_.minX]);
    std::copy(source + inner, source + outer, line_.data() + (inner - begin));
    std::fill_n(line_.data() + (outer - begin), end - outer, source[plane_.maxX]);
    source = line_.data();
  }
  kernels::filterSampleColumns(filtered, source, tables_.columns(), plane_.fractionBits);
  return filtered;
}

void SampleResampler::write(int index, int16_t* dst) {
  const auto taps = static_cast<size_t>(rows_.taps), output = static_cast<size_t>(index);
  for (size_t t = 0; t < taps; ++t) taps_[t] = filteredRow(rows_.firsts[output] + static_cast<int>(t));
  kernels::filterSampleRows(dst, taps_.data(), &rows_.weights[output * taps], rows_.taps,
                            static_cast<size_t>(tables_.count));
}

}  // namespace framewright
