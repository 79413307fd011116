#include "compositor/deep/planes/transitions/frame_transitions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compositor/deep/planes/images/code_image.h"
#include "compositor/deep/planes/plane_coverage.h"
#include "compositor/plan/transitions/page_curl.h"
#include "compositor/plan/transitions/transition_rows.h"
#include "compositor/plan/transitions/transition_steps.h"
#include "core/planes.h"
#include "kernels/deep/curl_rows.h"
#include "kernels/deep/plane_rows.h"
#include "kernels/deep/transition_kernels.h"
#include "kernels/mean/sliding_mean.h"

namespace framewright {
namespace {

static_assert(kPanUnit == kernels::kBoxUnit);

// A layer of two images that hides everything below it.
class SidesLayer : public PlaneLayer {
 public:
  explicit SidesLayer(SampleSides sides) : sides_(std::move(sides)) {}

  SampleRange rows(PlaneGroup group) const override { return {0, planeOf(group).height}; }
  SampleRange span(PlaneGroup group, int) const override { return {0, planeOf(group).width}; }
  bool hides(PlaneGroup, int) const override { return true; }
  void draw(PlaneGroup group, int y, const SampleRow& to) override {
    for (size_t i = 0; i < coloursOf(group); ++i) drawRow(framewright::planeOf(group, i), y, to[i]);
  }

 protected:
  virtual void drawRow(int plane, int y, int16_t* to) = 0;

  const Image& from() const { return *sides_.from; }
  const Image& to() const { return *sides_.to; }
  CanvasSize canvas() const { return {from().width(), from().height()}; }
  static const int16_t* row(const Image& side, int plane, int y) {
    return reinterpret_cast<const int16_t*>(rowOf(side.plane(plane), y));
  }
  const Plane& planeOf(PlaneGroup group) const { return from().plane(framewright::planeOf(group, 0)); }

 private:
  const SampleSides sides_;
};

class SqueezeLayer final : public SidesLayer {
 public:
  SqueezeLayer(SampleSides sides, double progress, Axis axis)
      : SidesLayer(std::move(sides)), left_(1 - progress), axis_(axis) {
    const PlaneCoverage covered(squeezedBand(progress, canvas(), axis), canvas());
    for (const PlaneGroup group : kPlaneGroups) coverage_[static_cast<size_t>(group)] = covered.of(group);
    mean_.resize(static_cast<size_t>(canvas().width));
    sums_.resize(mean_.size());
  }

 protected:
  void drawRow(int plane, int y, int16_t* to) override {
    const RectCoverage& covered = coverage_[plane == 0 ? 0 : 1];
    std::copy_n(row(this->to(), plane, y), from().plane(plane).width, to);
    if (covered.empty()) return;
    if (axis_ == Axis::kX) {
      squeezeColumns(plane, y, covered, to);
    } else if (y >= covered.rows.first && y < covered.rows.end) {
      squeezeRows(plane, y, covered, to);
    }
  }

 private:
  void squeezeRows(int plane, int y, const RectCoverage& covered, int16_t* to) {
    const SqueezedAxis axis(from().plane(plane).height, left_);
    const auto count = static_cast<size_t>(from().plane(plane).width);
    std::fill(sums_.begin(), sums_.end(), 0);
    for (int tap = 0; tap < axis.taps; ++tap)
      kernels::addSamples(sums_.data(), row(from(), plane, axis.source(y, tap)), count);
    kernels::scaleSums(mean_.data(), sums_.data(), 1.0f / static_cast<float>(axis.taps), count);
    kernels::overSamples(to, mean_.data(), nullptr, nullptr, covered.rows.at(y), count);
  }

  void squeezeColumns(int plane, int y, const RectCoverage& covered, int16_t* to) {
    const AxisCoverage& columns = covered.columns;
    const SqueezedAxis axis(from().plane(plane).width, left_);
    std::vector<int32_t>& sources = sources_[plane == 0 ? 0 : 1];
    const auto count = static_cast<size_t>(columns.count()), taps = static_cast<size_t>(axis.taps);
    if (sources.empty()) {
      for (size_t i = 0; i < count * taps; ++i)
        sources.push_back(
            axis.source(columns.first + static_cast<int>(i / taps), static_cast<int>(i % taps)));
    }
    const int16_t* const source = row(from(), plane, y);
    const int32_t* next = sources.data();
    for (size_t x = 0; x < count; ++x) {
      int32_t sum = 0;
      for (size_t tap = 0; tap < taps; ++tap) sum += source[*next++];
      sums_[x] = sum;
    }
    kernels::scaleSums(mean_.data(), sums_.data(), 1.0f / static_cast<float>(taps), count);
    kernels::overSamples(to + columns.first, mean_.data(), nullptr, columns.weights.data(),
                         kernels::kFullWeight, count);
  }

  const double left_;
  const Axis axis_;
  std::array<RectCoverage, 2> coverage_;  // by PlaneGroup
  std::array<std::vector<int32_t>, 2> sources_;
  std::vector<int16_t> mean_;
  std::vector<int32_t> sums_;
};

class PixelizeLayer final : public SidesLayer {
 public:
  PixelizeLayer(SampleSides sides, double progress)
      : SidesLayer(std::move(sides)), weight_(toWeight(progress)), size_(blockSize(progress, canvas())) {
    next_.resize(static_cast<size_t>(canvas().width));
  }

 protected:
  void drawRow(int plane, int y, int16_t* out) override {
    const auto count = static_cast<size_t>(from().plane(plane).width);
    if (size_ <= 1) {
      std::copy_n(row(from(), plane, y), count, out);
      kernels::overSamples(out, row(to(), plane, y), nullptr, nullptr, weight_, count);
      return;
    }
    const int pixelsPerSample = plane == 0 ? 1 : 2;
    const Blocks down{size_, canvas().height, pixelsPerSample};
    std::vector<int32_t>& columns = columns_[plane == 0 ? 0 : 1];
    if (columns.empty()) {
      const Blocks across{size_, canvas().width, pixelsPerSample};
      for (size_t x = 0; x < count; ++x)
        columns.push_back(across.middle(across.blockOf(static_cast<int>(x))));
    }
    Block& block = blocks_[static_cast<size_t>(plane)];
    const int index = down.blockOf(y);
    if (block.index != index) {
      block.index = index;
      block.row.resize(count);
      const int source = std::min(down.middle(index), from().plane(plane).height - 1);
      const int16_t *const a = row(from(), plane, source), *const b = row(to(), plane, source);
      for (size_t x = 0; x < count; ++x) {
        block.row[x] = a[columns[x]];
        next_[x] = b[columns[x]];
      }
      kernels::overSamples(block.row.data(), next_.data(), nullptr, nullptr, weight_, count);
    }
    std::copy_n(block.row.begin(), count, out);
  }

 private:
  struct Block {
    int index = -1;
    std::vector<int16_t> row;
  };

  const uint16_t weight_;
  const double size_;
  std::array<std::vector<int32_t>, 2> columns_;  // by PlaneGroup
  std::array<Block, 3> blocks_;                  // by plane
  std::vector<int16_t> next_;
};

class WhipPanLayer final : public SidesLayer {
 public:
  WhipPanLayer(SampleSides sides, double progress, Heading heading)
      : SidesLayer(std::move(sides)), isAcross_(heading.axis() == Axis::kX) {
    for (int p = 0; p < 3; ++p) {
      const Plane& plane = from().plane(p);
      Pan& pan = pans_[static_cast<size_t>(p)];
      pan.blur = panBlur(progress, heading, isAcross_ ? plane.width : plane.height);
      pan.box = {static_cast<float>(pan.blur.startFraction()), static_cast<float>(pan.blur.endFraction()),
                 1.0f / static_cast<float>(pan.blur.length)};
      pan.sums.resize(static_cast<size_t>(plane.width));
      if (!isAcross_) continue;
      pan.strip.resize(static_cast<size_t>(pan.blur.count()));
      findStretches(pan);
    }
  }

 protected:
  void drawRow(int plane, int y, int16_t* to) override {
    Pan& pan = pans_[static_cast<size_t>(plane)];
    if (isAcross_) {
      panRow(pan, plane, y, to);
    } else {
      panColumns(pan, plane, y, to);
    }
  }

 private:
  // A part of the strip that is copied forwards or backwards.
  struct Stretch {
    bool isTo;
    int index, step;
    size_t count;
  };
  struct Pan {
    PanBlur blur;
    kernels::SampleBox box;
    std::vector<int32_t> sums;
    std::vector<Stretch> stretches;
    std::vector<int16_t> strip;
    int next = -1;  // the row whose box `sums` has
  };

  static void findStretches(Pan& pan) {
    for (size_t k = 0; k < pan.strip.size(); ++k) {
      const PanSample sample = pan.blur.at(pan.blur.first() + static_cast<int>(k));
      if (!pan.stretches.empty()) {
        Stretch& last = pan.stretches.back();
        const int step = sample.index - (last.index + last.step * (static_cast<int>(last.count) - 1));
        const bool isBeside = step == 1 || step == -1;
        if (sample.isTo == last.isTo && isBeside && (last.count == 1 || step == last.step)) {
          last.step = step;
          ++last.count;
          continue;
        }
      }
      pan.stretches.push_back({sample.isTo, sample.index, 0, 1});
    }
  }

  void panRow(Pan& pan, int plane, int y, int16_t* to) {
    int16_t* next = pan.strip.data();
    for (const Stretch& stretch : pan.stretches) {
      const int16_t* const source = row(stretch.isTo ? this->to() : from(), plane, y) + stretch.index;
      if (stretch.step == -1) {
        kernels::reverseSamples(next, source - (stretch.count - 1), stretch.count);
      } else {
        std::copy_n(source, stretch.count, next);
      }
      next += stretch.count;
    }
    const auto span = static_cast<size_t>(pan.blur.span());
    int32_t sum = 0;
    for (size_t k = 0; k < span; ++k) sum += pan.strip[k];
    for (size_t x = 0; x < pan.sums.size(); ++x) {
      pan.sums[x] = sum;
      sum += pan.strip[x + span] - pan.strip[x];
    }
    kernels::meanOfBoxes(to, pan.sums.data(), pan.strip.data(), pan.strip.data() + span, pan.box,
                         pan.sums.size());
  }

  const int16_t* stripRow(const Pan& pan, int plane, int k) const {
    const PanSample sample = pan.blur.at(pan.blur.first() + k);
    return row(sample.isTo ? to() : from(), plane, sample.index);
  }

  void panColumns(Pan& pan, int plane, int y, int16_t* to) {
    const int span = pan.blur.span();
    const size_t width = pan.sums.size();
    if (pan.next != y) {
      std::fill(pan.sums.begin(), pan.sums.end(), 0);
      for (int k = 0; k < span; ++k) kernels::addSamples(pan.sums.data(), stripRow(pan, plane, y + k), width);
    }
    const int16_t *const leaving = stripRow(pan, plane, y), *const entering = stripRow(pan, plane, y + span);
    kernels::meanOfBoxes(to, pan.sums.data(), leaving, entering, pan.box, width);
    kernels::slideBoxes(pan.sums.data(), leaving, entering, width);
    pan.next = y + 1;
  }

  const bool isAcross_;
  std::array<Pan, 3> pans_;  // by plane
};

class PageCurlLayer final : public SidesLayer {
 public:
  PageCurlLayer(SampleSides sides, double progress, Heading heading)
      : SidesLayer(std::move(sides)), curl_(pageCurl(progress, canvas(), heading)) {}

 protected:
  void drawRow(int plane, int y, int16_t* out) override {
    const Plane& page = from().plane(plane);
    const bool isChroma = plane > 0;
    const auto [first, end] = curl_.columnsOf(isChroma, y, page.width);
    const int16_t *const flat = row(from(), plane, y), *const next = row(to(), plane, y);
    const bool isLeft = curl_.pointsRight();  // the flat page
    std::copy_n(isLeft ? flat : next, first, out);
    std::copy(next + first, next + end, out + first);
    std::copy((isLeft ? next : flat) + end, (isLeft ? next : flat) + page.width, out + end);
    if (first >= end) return;
    const kernels::CurledPage curled{{},
                                     isChroma,
                                     canvas().width,
                                     canvas().height,
                                     curl_.normalX,
                                     curl_.normalY,
                                     curl_.steps.data(),
                                     curl_.wholeSteps(),
                                     curl_.shadowReach,
                                     curl_.shadowSlope};
    kernels::curlSamples(out + first, flat + first,
                         codePlaneOf(page, {0, 0, page.width - 1, page.height - 1}, kernels::kCodeFraction),
                         curled, first, y, curl_.positionInSteps(isChroma, first, y),
                         static_cast<size_t>(end - first));
  }

 private:
  const PageCurl curl_;
};

}  // namespace

std::unique_ptr<PlaneLayer> squeezeLayer(SampleSides sides, double progress, Axis axis) {
  return std::make_unique<SqueezeLayer>(std::move(sides), progress, axis);
}

std::unique_ptr<PlaneLayer> pixelizeLayer(SampleSides sides, double progress) {
  return std::make_unique<PixelizeLayer>(std::move(sides), progress);
}

std::unique_ptr<PlaneLayer> whipPanLayer(SampleSides sides, double progress, Heading heading) {
  return std::make_unique<WhipPanLayer>(std::move(sides), progress, heading);
}

std::unique_ptr<PlaneLayer> pageCurlLayer(SampleSides sides, double progress, Heading heading) {
  return std::make_unique<PageCurlLayer>(std::move(sides), progress, heading);
}

}  // namespace framewright
