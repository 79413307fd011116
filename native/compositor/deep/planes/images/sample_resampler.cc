#include "compositor/deep/planes/images/sample_resampler.h"

#include <algorithm>
#include <utility>

#include "kernels/deep/plane_rows.h"
#include "kernels/resample.h"

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

// Finds filters that shift samples only.
void findCopy(SampleColumnTables& tables) {
  const auto taps = static_cast<size_t>(tables.taps);
  for (size_t i = 0; i < static_cast<size_t>(tables.count); ++i) {
    const int16_t* const weights = &tables.weights[i * taps];
    const int16_t* const only = std::find(weights, weights + taps, int16_t{kernels::kUnitWeight});
    if (only == weights + taps) return;
    const int from = tables.firsts[i] + static_cast<int>(only - weights) - static_cast<int>(i);
    if (i == 0) tables.copiedFrom = from;
    if (from != tables.copiedFrom) return;
  }
  tables.isCopy = true;
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
  findCopy(*this);
  if (!isCopy) packBlocks(*this);
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

SampleResampler::SampleResampler(std::function<const int16_t*(int)> source, const SampleBounds& bounds,
                                 int fractionBits, const SampleColumnTables& tables, const AxisFilter& rows)
    : source_(std::move(source)),
      bounds_(bounds),
      fractionBits_(fractionBits),
      tables_(tables),
      rows_(rows),
      rowLength_(static_cast<size_t>((tables.count + 2 * kBlock - 1) / (2 * kBlock) * (2 * kBlock))),
      line_(static_cast<size_t>(tables.lineLength)),
      filtered_(rowLength_ * static_cast<size_t>(rows.taps)),
      cachedRows_(static_cast<size_t>(rows.taps), -1),
      taps_(static_cast<size_t>(rows.taps)) {}

const int16_t* SampleResampler::filteredRow(int row) {
  const int clamped = std::clamp(row, bounds_.top, bounds_.bottom);
  const auto slot = static_cast<size_t>(clamped % rows_.taps);
  int16_t* const filtered = &filtered_[slot * rowLength_];
  if (cachedRows_[slot] == clamped) return filtered;
  cachedRows_[slot] = clamped;
  const int16_t* source = source_(clamped);
  if (tables_.origin >= bounds_.left && tables_.origin + tables_.lineLength <= bounds_.right + 1) {
    source += tables_.origin;
  } else {
    // Edge samples are repeated beyond the bounds, so the kernel does not check limits.
    const int begin = tables_.origin, end = begin + tables_.used;
    const int inner = std::clamp(bounds_.left, begin, end), outer = std::clamp(bounds_.right + 1, inner, end);
    std::fill_n(line_.data(), inner - begin, source[bounds_.left]);
    std::copy(source + inner, source + outer, line_.data() + (inner - begin));
    std::fill_n(line_.data() + (outer - begin), end - outer, source[bounds_.right]);
    source = line_.data();
  }
  if (!tables_.isCopy) {
    kernels::filterSampleColumns(filtered, source, tables_.columns(), fractionBits_);
  } else if (fractionBits_ == 0) {
    kernels::samplesOfCodes(filtered, source + tables_.copiedFrom, static_cast<size_t>(tables_.count));
  } else {
    std::copy_n(source + tables_.copiedFrom, tables_.count, filtered);
  }
  return filtered;
}

void SampleResampler::write(int index, int16_t* dst) {
  const auto taps = static_cast<size_t>(rows_.taps), output = static_cast<size_t>(index);
  const int16_t* const weights = &rows_.weights[output * taps];
  const int16_t* const only = std::find(weights, weights + taps, int16_t{kernels::kUnitWeight});
  if (only != weights + taps) {
    std::copy_n(filteredRow(rows_.firsts[output] + static_cast<int>(only - weights)), tables_.count, dst);
    return;
  }
  for (size_t t = 0; t < taps; ++t) taps_[t] = filteredRow(rows_.firsts[output] + static_cast<int>(t));
  kernels::filterSampleRows(dst, taps_.data(), weights, rows_.taps, static_cast<size_t>(tables_.count));
}

}  // namespace framewright
