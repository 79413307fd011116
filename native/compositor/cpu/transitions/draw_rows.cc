#include <cstring>

#include "compositor/cpu/transitions/draw_transition.h"
#include "compositor/plan/transitions/transition_rows.h"
#include "kernels/mean/sliding_mean.h"

// Transitions that shift rows or columns: whip pans and glitches.
namespace framewright {
namespace {

static_assert(kPanUnit == kernels::kBoxUnit);

kernels::SlidingBox boxOf(const PanBlur& pan) {
  return {static_cast<uint32_t>(pan.length), static_cast<uint32_t>(pan.startFraction()),
          static_cast<uint32_t>(pan.endFraction())};
}

void panRows(const TransitionFrame& c, int p, const PanBlur& pan) {
  const Plane &frame = c.frame.plane(p), &from = c.from->plane(p), &to = c.to->plane(p);
  const auto count = static_cast<size_t>(pan.count());
  // Stretches of the strip that are copied forwards or backwards.
  struct Stretch {
    bool isTo;
    int index, step;
    size_t count;
  };
  std::vector<Stretch> stretches;
  for (size_t k = 0; k < count; ++k) {
    const PanSample sample = pan.at(pan.first() + static_cast<int>(k));
    if (!stretches.empty()) {
      Stretch& last = stretches.back();
      const int step = sample.index - (last.index + last.step * (static_cast<int>(last.count) - 1));
      if (sample.isTo == last.isTo && (step == 1 || step == -1) && (last.count == 1 || step == last.step)) {
        last.step = step;
        ++last.count;
        continue;
      }
    }
    stretches.push_back({sample.isTo, sample.index, 0, 1});
  }
  std::vector<uint8_t>& strip = c.buffers.rows[0];
  strip.resize(count);
  const kernels::SlidingBox box = boxOf(pan);
  const auto span = static_cast<size_t>(pan.span()), width = static_cast<size_t>(frame.width);
  std::vector<uint32_t>& sums = c.buffers.sums;
  sums.resize(width);
  for (int y = 0; y < frame.height; ++y) {
    uint8_t* next = strip.data();
    for (const Stretch& s : stretches) {
      const uint8_t* const source = rowOf(s.isTo ? to : from, y) + s.index;
      if (s.step == 1) {
        std::memcpy(next, source, s.count);
      } else {
        kernels::reverseRow(next, source - (s.count - 1), s.count);
      }
      next += s.count;
    }
    const uint8_t* const in = strip.data();
    uint32_t sum = 0;
    for (size_t k = 0; k < span; ++k) sum += in[k];
    for (size_t x = 0; x < width; ++x) {
      sums[x] = sum;
      sum += uint32_t{in[x + span]} - in[x];
    }
    kernels::slideMeanRow(rowOf(frame, y), sums.data(), in, in + span, width, box, false);
  }
}

void panColumns(const TransitionFrame& c, int p, const PanBlur& pan) {
  const Plane& frame = c.frame.plane(p);
  const auto width = static_cast<size_t>(frame.width);
  const auto stripRow = [&](int k) {
    const PanSample sample = pan.at(pan.first() + k);
    return rowOf((sample.isTo ? c.to : c.from)->plane(p), sample.index);
  };
  std::vector<uint32_t>& sums = c.buffers.sums;
  sums.assign(width, 0);
  const int span = pan.span();
  for (int k = 0; k < span; ++k) {
    const uint8_t* const row = stripRow(k);
    for (size_t x = 0; x < width; ++x) sums[x] += row[x];
  }
  const kernels::SlidingBox box = boxOf(pan);
  for (int y = 0; y < frame.height; ++y)
    kernels::slideMeanRow(rowOf(frame, y), sums.data(), stripRow(y), stripRow(y + span), width, box, true);
}

// Copies samples from `begin` to `end` of a row that is shifted and mirrored at its edges.
void copyShifted(uint8_t* out, const Plane& side, int y, int shift, int begin, int end) {
  const uint8_t* const in = rowOf(side, y);
  for (int x = begin; x < end;) {
    const int index = mirroredIndex(x - shift, side.width);
    const bool isBackwards = isMirrored(x - shift, side.width);
    const int left = isBackwards ? index + 1 : side.width - index;
    const auto count = static_cast<size_t>(std::min(left, end - x));
    if (isBackwards) {
      kernels::reverseRow(out + x, in + index + 1 - count, count);
    } else {
      std::memcpy(out + x, in + index, count);
    }
    x += static_cast<int>(count);
  }
}

}  // namespace

void panWithBlur(const TransitionFrame& c, Heading heading) {
  const bool isAcross = heading.axis() == Axis::kX;
  for (int p = 0; p < 3; ++p) {
    const Plane& frame = c.frame.plane(p);
    const PanBlur pan = panBlur(c.progress, heading, isAcross ? frame.width : frame.height);
    if (isAcross) {
      panRows(c, p, pan);
    } else {
      panColumns(c, p, pan);
    }
  }
}

void drawGlitch(const TransitionFrame& c) {
  for (int p = 0; p < 3; ++p) {
    const Plane& frame = c.frame.plane(p);
    const std::vector<GlitchRow> rows = glitchRows(c.progress, c.canvas(), p);
    for (int y = 0; y < frame.height; ++y) {
      const GlitchRow& row = rows[static_cast<size_t>(y)];
      const auto copy = [&](const ShiftedSide& side, int begin, int end) {
        copyShifted(rowOf(frame, y), (side.isTo ? c.to : c.from)->plane(p), y, side.shift, begin, end);
      };
      copy(row.row, 0, row.blockStart);
      copy(row.block, row.blockStart, row.blockEnd);
      copy(row.row, row.blockEnd, frame.width);
    }
  }
}

}  // namespace framewright
