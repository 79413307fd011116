#include "render/outputs/shown_parts.h"

#include <algorithm>
#include <set>

namespace framewright {
namespace {

std::vector<FrameRange> merged(std::vector<FrameRange> ranges) {
  std::ranges::sort(ranges, {}, &FrameRange::first);
  std::vector<FrameRange> runs;
  for (const FrameRange& range : ranges) {
    if (!runs.empty() && range.first <= runs.back().end) {
      runs.back().end = std::max(runs.back().end, range.end);
    } else {
      runs.push_back(range);
    }
  }
  return runs;
}

}  // namespace

std::vector<FrameRange> shownParts(const std::vector<OutputFile>& outputs,
                                   const std::vector<FrameRange>& segments) {
  std::vector<FrameRange> ranges = segments;
  for (const OutputFile& file : outputs) {
    if (!isAudioFormat(file.format)) ranges.push_back({file.first, file.end});
  }
  std::set<int64_t> cuts;
  for (const FrameRange& segment : segments) cuts.insert({segment.first, segment.end});
  std::vector<FrameRange> parts;
  for (FrameRange run : merged(std::move(ranges))) {
    for (auto cut = cuts.upper_bound(run.first); cut != cuts.end() && *cut < run.end; ++cut) {
      parts.push_back({run.first, *cut});
      run.first = *cut;
    }
    parts.push_back(run);
  }
  return parts;
}

}  // namespace framewright
