#include "compositor/cpu/layers/column_tables.h"

#include <algorithm>

namespace framewright {
namespace {

// Fills the block tables if the taps of every block are close enough.
void packBlocks(ColumnTables& tables, const AxisFilter& filter) {
  constexpr int kBlock = kernels::kBlockColumns;
  const int blocks = tables.groups / kernels::kGroupAlignment;
  tables.blockBases.assign(static_cast<size_t>(blocks), 0);
  tables.blockTaps.assign(static_cast<size_t>(blocks) * kBlock * 2, 0);
  tables.hasBlocks = true;
  for (int block = 0; block < blocks; ++block) {
    const int first = block * kBlock, end = std::min(filter.count, first + kBlock);
    const auto [lowest, highest] =
        std::minmax(filter.firsts[static_cast<size_t>(first)], filter.firsts[static_cast<size_t>(end - 1)]);
    if (highest - lowest + 4 > kernels::kBlockReach) {
      tables.hasBlocks = false;
      return;
    }
    tables.blockBases[static_cast<size_t>(block)] = lowest - tables.origin;
    uint16_t* taps = &tables.blockTaps[static_cast<size_t>(block) * kBlock * 2];
    for (int i = first; i < end; ++i, taps += 2) {
      taps[0] = static_cast<uint16_t>(filter.firsts[static_cast<size_t>(i)] - lowest);
      taps[1] = static_cast<uint16_t>(taps[0] + 1);
    }
  }
}

}  // namespace

kernels::ColumnFilter ColumnTables::filter() const {
  return {groups,
          quads,
          bases.data(),
          shuffles.data(),
          weights.data(),
          hasBlocks ? blockBases.data() : nullptr,
          hasBlocks ? blockTaps.data() : nullptr};
}

void packColumns(ColumnTables& tables, const AxisFilter& filter) {
  constexpr int kGroup = kernels::kColumnGroup;
  constexpr int kAlign = kernels::kBlockColumns;
  tables.groups = (filter.count + kAlign - 1) / kAlign * kernels::kGroupAlignment;
  tables.quads = filter.taps / 4;
  const auto groups = static_cast<size_t>(tables.groups);
  tables.bases.assign(groups, 0);
  tables.shuffles.assign(groups * 16, 0);
  tables.weights.assign(groups * 16 * static_cast<size_t>(tables.quads), 0);
  tables.hasBlocks = false;
  if (filter.count == 0) return;
  const auto [lowest, highest] = std::minmax(filter.firsts.front(), filter.firsts.back());
  tables.origin = lowest;
  tables.used = highest - lowest + filter.taps;
  tables.lineLength = highest - lowest + kernels::kBlockReach + filter.taps;
  packBlocks(tables, filter);
  for (int i = 0; i < filter.count; ++i) {
    const int group = i / kGroup, column = i % kGroup, inBlock = group % kernels::kGroupAlignment;
    const int lastOfGroup = std::min(filter.count - 1, group * kGroup + kGroup - 1);
    // Positions are monotonic, so the group's lowest first tap is at one of its ends.
    const int base = std::min(filter.firsts[static_cast<size_t>(group * kGroup)],
                              filter.firsts[static_cast<size_t>(lastOfGroup)]);
    tables.bases[static_cast<size_t>(group)] = base - lowest;
    const int shift = filter.firsts[static_cast<size_t>(i)] - base;
    uint8_t* shuffle = &tables.shuffles[static_cast<size_t>(group) * 16 + static_cast<size_t>(column) * 2];
    shuffle[0] = static_cast<uint8_t>(shift);
    shuffle[1] = static_cast<uint8_t>(shift + 1);
    shuffle[8] = static_cast<uint8_t>(shift + 2);
    shuffle[9] = static_cast<uint8_t>(shift + 3);
    const int16_t* from = &filter.weights[static_cast<size_t>(i) * static_cast<size_t>(filter.taps)];
    for (int quad = 0; quad < tables.quads; ++quad, from += 4) {
      int16_t* to =
          &tables.weights[(static_cast<size_t>(quad) * groups + static_cast<size_t>(group - inBlock)) * 16 +
                          static_cast<size_t>(inBlock * 8 + column * 2)];
      to[0] = from[0];
      to[1] = from[1];
      to[2 * kernels::kBlockColumns] = from[2];
      to[2 * kernels::kBlockColumns + 1] = from[3];
    }
  }
}

}  // namespace framewright
