#include <cstring>

#include "compositor/cpu/transitions/draw_transition.h"
#include "compositor/plan/transitions/transition_rows.h"

// Transitions that shift rows or columns: whip pans and glitches.
namespace framewright {
namespace {

// Exact division of a sum of samples by the length of its box.
class BoxMean {
 public:
  explicit BoxMean(int length)
      : reciprocal_(((uint64_t{1} << kShift) + static_cast<uint64_t>(length) - 1) /
                    static_cast<uint64_t>(length)),
        half_(static_cast<uint32_t>(length) / 2) {}
  uint8_t operator()(uint32_t sum) const {
    return static_cast<uint8_t>((uint64_t{sum + half_} * reciprocal_) >> kShift);
  }

 private:
  static constexpr int kShift = 44;
  uint64_t reciprocal_;
  uint32_t half_;
};

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
  const BoxMean mean(pan.length);
  const auto startFraction = static_cast<uint32_t>(pan.startFraction()),
             endFraction = static_cast<uint32_t>(pan.endFraction());
  const auto span = static_cast<size_t>(pan.span());
  for (int y = 0; y < frame.height; ++y) {
    uint8_t* next = strip.data();
    for (const Stretch& s : stretches) {
      const uint8_t* const source = rowOf(s.isTo ? to : from, y) + s.index;
      if (s.step == 1) {
        std::memcpy(next, source, s.count);
      } else {
        for (size_t k = 0; k < s.count; ++k) next[k] = *(source - k);
      }
      next += s.count;
    }
    const uint8_t* const in = strip.data();
    uint8_t* const out = rowOf(frame, y);
    uint32_t sum = 0;
    for (size_t k = 0; k < span; ++k) sum += in[k];
    for (size_t x = 0; x < static_cast<size_t>(frame.width); ++x) {
      out[x] = mean(sum * kPanUnit - startFraction * in[x] + endFraction * in[x + span]);
      sum += in[x + span];
      sum -= in[x];
    }
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
  const BoxMean mean(pan.length);
  const auto startFraction = static_cast<uint32_t>(pan.startFraction()),
             endFraction = static_cast<uint32_t>(pan.endFraction());
  for (int y = 0; y < frame.height; ++y) {
    const uint8_t *const leaving = stripRow(y), *const entering = stripRow(y + span);
    uint8_t* const out = rowOf(frame, y);
    for (size_t x = 0; x < width; ++x) {
      out[x] = mean(sums[x] * kPanUnit - startFraction * leaving[x] + endFraction * entering[x]);
      sums[x] += entering[x];
      sums[x] -= leaving[x];
    }
  }
}

void copyShifted(uint8_t* out, const Plane& side, int y, int shift, int begin, int end) {
  const uint8_t* const in = rowOf(side, y);
  const int first = std::clamp(shift, begin, end), last = std::clamp(side.width + shift, first, end);
  for (int x = begin; x < first; ++x) out[x] = in[mirroredIndex(x - shift, side.width)];
  if (last > first) std::memcpy(out + first, in + first - shift, static_cast<size_t>(last - first));
  for (int x = last; x < end; ++x) out[x] = in[mirroredIndex(x - shift, side.width)];
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
