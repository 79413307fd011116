#include "compositor/vulkan/crossing_passes.h"

#include <algorithm>

#include "compositor/cpu/draw_fill.h"
#include "compositor/cpu/transition_blocks.h"

namespace framewright::gpu {
namespace {

uint32_t word(int value) { return static_cast<uint32_t>(value); }

template <class... Values>
void append(std::vector<uint32_t>& to, Values... values) {
  (to.push_back(values), ...);
}

// Tables are read four words at a time.
size_t paddedCount(int count) { return static_cast<size_t>(count + 3) / 4 * 4; }

template <class ValueAt>
uint32_t addTable(Tables& tables, int count, const ValueAt& valueAt) {
  const uint32_t at = tables.add(paddedCount(count));
  for (int k = 0; k < count; ++k) tables.set(at + word(k), valueAt(k));
  return at;
}

constexpr CrossedTransition kStyles[] = {
    {"fadefast", [](CrossingPasses& p) { p.fadeByDifference(FadeOrder::kFast); }},
    {"fadeslow", [](CrossingPasses& p) { p.fadeByDifference(FadeOrder::kSlow); }},
    {"distance", [](CrossingPasses& p) { p.fadeByDistance(); }},
    {"squeezeh", [](CrossingPasses& p) { p.squeeze(Axis::kY); }},
    {"squeezev", [](CrossingPasses& p) { p.squeeze(Axis::kX); }},
    {"pixelize", [](CrossingPasses& p) { p.pixelize(); }},
    {"hblur", [](CrossingPasses& p) { p.blurAcross(); }},
};

}  // namespace

const CrossedTransition* findCrossedTransition(std::string_view name) {
  const auto found = std::find_if(std::begin(kStyles), std::end(kStyles),
                                  [name](const CrossedTransition& style) { return style.name == name; });
  return found == std::end(kStyles) ? nullptr : found;
}

Pass CrossingPasses::passOver(Shader shader, const DeviceSurface& below, const DeviceSurface& above) const {
  const SurfaceLayout& layout = crossing_.target.layout;
  Pass pass{shader, {}, crossing_.target.buffer.get(), {below.buffer.get(), above.buffer.get()}};
  const auto words = surfaceWords(layout);
  pass.push.assign(words.begin(), words.end());
  pass.groups = groupsFor(layout.width, layout.height);
  return pass;
}

template <class Complete>
void CrossingPasses::addBoth(const Pass& pass, const Complete& complete) {
  const SurfaceLayout& layout = crossing_.target.layout;
  for (const PlaneGroup group : {PlaneGroup::kLuma, PlaneGroup::kChroma}) {
    const bool luma = group == PlaneGroup::kLuma;
    const int width = luma ? layout.width : layout.chromaWidth(),
              height = luma ? layout.height : layout.chromaHeight();
    Pass own = pass;
    own.constants = {luma ? 0u : 1u};
    own.groups = groupsFor(width, height);
    own.waits = luma;
    complete(own, group, width, height);
    plan_.passes.push_back(std::move(own));
  }
}

uint32_t CrossingPasses::weightsOf(const AxisCoverage& coverage, int count) {
  return addTable(plan_.tables, count, [&](int k) -> int32_t {
    return k >= coverage.first && k < coverage.end ? coverage.at(k) : 0;
  });
}

uint32_t CrossingPasses::axisWeights(const TransitionMask& mask, PlaneGroup group) {
  const bool across = mask.shape == MaskShape::kColumns;
  const int count = across ? canvas().width : canvas().height;
  std::vector<uint16_t> weights;
  fillAxisWeights(weights, count, mask.weightAt);
  if (group == PlaneGroup::kLuma)
    return addTable(plan_.tables, count, [&](int k) { return weights[static_cast<size_t>(k)]; });
  if (count % 2 == 1) weights.push_back(weights.back());
  return addTable(plan_.tables, (count + 1) / 2, [&](int k) {
    const auto left = static_cast<size_t>(2 * k);
    return (weights[left] + weights[left + 1] + 1) / 2;
  });
}

Status CrossingPasses::mask(const TransitionMask& mask) {
  const bool isLate = mask.isBlack && crossing_.progress >= 0.5;
  Pass pass = passOver(Shader::cross_mask, isLate ? crossing_.to : crossing_.from, crossing_.to);
  uint32_t response = 0;
  if (mask.shape == MaskShape::kPattern) {
    FW_ASSIGN_OR_RETURN(const vulkan::Buffer* const pattern,
                        patterns_.require(mask.pattern, canvas(), plan_));
    pass.sources.push_back(pattern);
    std::vector<uint16_t> weights;
    fillAxisWeights(weights, kPatternSteps, mask.weightAt);
    response = addTable(plan_.tables, kPatternSteps, [&](int k) { return weights[static_cast<size_t>(k)]; });
  }
  const std::array<uint8_t, 3> black = yuvOf({0, 0, 0, 255});
  addBoth(pass, [&](Pass& own, PlaneGroup group, int width, int height) {
    uint32_t columns = response, rows = 0;
    if (mask.shape == MaskShape::kColumns) columns = axisWeights(mask, group);
    if (mask.shape == MaskShape::kRows) rows = axisWeights(mask, group);
    if (mask.shape == MaskShape::kOutside) {
      RectCoverage inside;
      inside.cover(mask.bare, canvas(), group);
      columns = weightsOf(inside.columns, width);
      rows = weightsOf(inside.rows, height);
    }
    append(own.constants, static_cast<uint32_t>(mask.shape), mask.isBlack ? 1u : 0u);
    append(own.push, columns, rows, PatternBuffers::stride(canvas().width),
           uint32_t{black[group == PlaneGroup::kLuma ? 0 : 1]}, uint32_t{black[2]});
  });
  return {};
}

void CrossingPasses::fadeByDifference(FadeOrder order) {
  const auto steps = differenceSteps(crossing_.progress, order);
  Pass pass = passOver(Shader::cross_steps, crossing_.from, crossing_.to);
  pass.push.push_back(addTable(plan_.tables, static_cast<int>(steps.size()),
                               [&](int k) -> int32_t { return steps[static_cast<size_t>(k)]; }));
  pass.groups[2] = 3;
  plan_.passes.push_back(std::move(pass));
}

void CrossingPasses::fadeByDistance() {
  const SurfaceLayout& layout = crossing_.target.layout;
  Pass pass = passOver(Shader::cross_distance, crossing_.from, crossing_.to);
  append(pass.push, word(distanceLimit(crossing_.progress)), uint32_t{toWeight(crossing_.progress)});
  pass.groups = groupsFor(layout.chromaWidth(), layout.chromaHeight());
  plan_.passes.push_back(std::move(pass));
}

void CrossingPasses::squeeze(Axis axis) {
  const bool across = axis == Axis::kX;
  const Rect band = squeezedBand(crossing_.progress, canvas(), axis);
  addBoth(passOver(Shader::cross_squeeze, crossing_.to, crossing_.from),
          [&](Pass& own, PlaneGroup group, int width, int height) {
            const int count = across ? width : height;
            RectCoverage covered;
            covered.cover(band, canvas(), group);
            const uint32_t weights = weightsOf(across ? covered.columns : covered.rows, count);
            const SqueezedAxis squeezed(count, 1 - crossing_.progress);
            const uint32_t samples = addTable(plan_.tables, count * squeezed.taps, [&](int k) {
              return squeezed.source(k / squeezed.taps, k % squeezed.taps);
            });
            own.constants.push_back(across ? 1 : 0);
            append(own.push, weights, samples, word(squeezed.taps));
            for (int tap = 1; tap < SqueezedAxis::kMostTaps; ++tap)
              own.push.push_back(toWeight(1.0 / (tap + 1)));
          });
}

void CrossingPasses::pixelize() {
  // Where blocks would be smaller than a pixel, each sample is a block of its own.
  const double size = std::max(1.0, blockSize(crossing_.progress, canvas()));
  addBoth(passOver(Shader::cross_blocks, crossing_.from, crossing_.to),
          [&](Pass& own, PlaneGroup group, int width, int height) {
            const int pixels = group == PlaneGroup::kLuma ? 1 : 2;
            const Blocks across{size, canvas().width, pixels}, down{size, canvas().height, pixels};
            const uint32_t columns = addTable(plan_.tables, width, [&](int x) -> int32_t {
              return size <= 1 ? x : across.middle(across.blockOf(x));
            });
            int block = -1, source = 0;
            const uint32_t rows = addTable(plan_.tables, height, [&](int y) -> int32_t {
              if (size <= 1) return y;
              if (down.blockOf(y) != block) {
                block = down.blockOf(y);
                source = std::max(y, down.middle(block));
              }
              return source;
            });
            append(own.push, columns, rows, uint32_t{toWeight(crossing_.progress)});
          });
}

void CrossingPasses::blurAcross() {
  const SurfaceLayout& layout = crossing_.target.layout;
  Pass pass = passOver(Shader::cross_smear, crossing_.from, crossing_.to);
  append(pass.push, uint32_t{toWeight(crossing_.progress)},
         word(smearedSamples(crossing_.progress, layout.width, PlaneGroup::kLuma, layout.width)),
         word(smearedSamples(crossing_.progress, layout.width, PlaneGroup::kChroma, layout.chromaWidth())));
  pass.groups = {word(layout.height), 1, 3};
  plan_.passes.push_back(std::move(pass));
}

}  // namespace framewright::gpu
