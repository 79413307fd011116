#include "compositor/vulkan/transitions/transition_passes.h"

#include <algorithm>

#include "compositor/deep/planes/plane_coverage.h"
#include "compositor/plan/color.h"
#include "compositor/plan/transitions/page_curl.h"
#include "compositor/plan/transitions/transition_rows.h"

namespace framewright::gpu {
namespace {

// Shaders read tables in units of four words.
size_t paddedCount(int count) { return static_cast<size_t>(count + 3) / 4 * 4; }

template <class ValueAt>
uint32_t addTable(Tables& tables, int count, const ValueAt& valueAt) {
  const uint32_t at = tables.add(paddedCount(count));
  for (int k = 0; k < count; ++k) tables.set(at + word(k), valueAt(k));
  return at;
}

}  // namespace

bool isDrawnAsLayers(TransitionKind kind) {
  switch (kind) {
    case TransitionKind::kFadeFast:
    case TransitionKind::kFadeSlow:
    case TransitionKind::kDistance:
    case TransitionKind::kSqueeze:
    case TransitionKind::kMask:
    case TransitionKind::kLuma:
    case TransitionKind::kPixelize:
    case TransitionKind::kHorizontalBlur:
    case TransitionKind::kWhipPan:
    case TransitionKind::kGlitch:
    case TransitionKind::kPageCurl:
    case TransitionKind::kLight:
      return false;
    default:
      return true;
  }
}

Status TransitionPasses::draw(const TransitionStyle& style) {
  switch (style.kind) {
    case TransitionKind::kMask:
      return mask(style.mask(transition_.progress, canvas(), style.heading));
    case TransitionKind::kLuma:
      return mask(lumaMask(transition_.progress, transition_.wipe, transition_.luma));
    case TransitionKind::kFadeFast:
      fadeByDifference(FadeOrder::kFast);
      break;
    case TransitionKind::kFadeSlow:
      fadeByDifference(FadeOrder::kSlow);
      break;
    case TransitionKind::kDistance:
      fadeByDistance();
      break;
    case TransitionKind::kSqueeze:
      squeeze(style.heading.axis());
      break;
    case TransitionKind::kPixelize:
      pixelize();
      break;
    case TransitionKind::kHorizontalBlur:
      blurHorizontally();
      break;
    case TransitionKind::kWhipPan:
      panWithBlur(style.heading);
      break;
    case TransitionKind::kGlitch:
      glitch();
      break;
    case TransitionKind::kPageCurl:
      curl(style.heading);
      break;
    case TransitionKind::kLight:
      return light(style.light(transition_.progress, style.heading));
    default:
      break;
  }
  return {};
}

Pass TransitionPasses::passOver(Shader shader, const DeviceSurface& below, const DeviceSurface& above) const {
  const SurfaceLayout& layout = transition_.target.layout;
  Pass pass{shader, {}, transition_.target.buffer.get(), {below.buffer.get(), above.buffer.get()}};
  const auto words = surfaceWords(layout);
  pass.push.assign(words.begin(), words.end());
  pass.groups = groupsFor(layout.width, layout.height);
  return pass;
}

template <class Complete>
void TransitionPasses::addBoth(const Pass& pass, const Complete& complete) {
  const SurfaceLayout& layout = transition_.target.layout;
  for (const PlaneGroup group : kPlaneGroups) {
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

uint32_t TransitionPasses::weightsOf(const AxisCoverage& coverage, int count) {
  return addTable(plan_.tables, count, [&](int k) -> int32_t {
    return k >= coverage.first && k < coverage.end ? coverage.at(k) : 0;
  });
}

uint32_t TransitionPasses::axisWeights(const TransitionMask& mask, PlaneGroup group) {
  const bool across = mask.shape == MaskShape::kColumns;
  const int count = across ? canvas().width : canvas().height;
  std::vector<uint16_t> weights;
  fillAxisWeights(weights, count, mask.weightAt);
  if (group == PlaneGroup::kLuma)
    return addTable(plan_.tables, count, [&](int k) { return weights[static_cast<size_t>(k)]; });
  if (count % 2 == 1) weights.push_back(weights.back());
  return addTable(plan_.tables, (count + 1) / 2, [&](int k) {
    const auto left = static_cast<size_t>(2 * k);
    if (!across || !transition_.format.isDeep()) return (weights[left] + weights[left + 1] + 1) / 2;
    // As colours are filtered.
    return (weights[left == 0 ? 0 : left - 1] + 2 * weights[left] + weights[left + 1] + 2) / 4;
  });
}

Status TransitionPasses::mask(const TransitionMask& mask) {
  const bool isLate = mask.isBlack && transition_.progress >= 0.5;
  Pass pass = passOver(Shader::transition_mask, isLate ? transition_.to : transition_.from, transition_.to);
  uint32_t response = 0;
  if (mask.shape == MaskShape::kPattern) {
    FW_ASSIGN_OR_RETURN(const vulkan::Buffer* const pattern,
                        patterns_.require(mask.pattern, canvas(), plan_));
    pass.sources.push_back(pattern);
    std::vector<uint16_t> weights;
    fillAxisWeights(weights, kPatternSteps, mask.weightAt);
    response = addTable(plan_.tables, kPatternSteps, [&](int k) { return weights[static_cast<size_t>(k)]; });
  }
  const std::array<int, 3> black = transition_.format.valuesOf(kBlack);
  addBoth(pass, [&](Pass& own, PlaneGroup group, int width, int height) {
    uint32_t columns = response, rows = 0;
    if (mask.shape == MaskShape::kColumns) columns = axisWeights(mask, group);
    if (mask.shape == MaskShape::kRows) rows = axisWeights(mask, group);
    if (mask.shape == MaskShape::kOutside) {
      RectCoverage inside;
      if (transition_.format.isDeep()) {
        inside = PlaneCoverage(mask.uncovered, canvas()).of(group);
      } else {
        inside.cover(mask.uncovered, canvas(), group);
      }
      columns = weightsOf(inside.columns, width);
      rows = weightsOf(inside.rows, height);
    }
    append(own.constants, static_cast<uint32_t>(mask.shape), mask.isBlack ? 1u : 0u);
    append(own.push, columns, rows, PatternBuffers::stride(canvas().width),
           word(black[group == PlaneGroup::kLuma ? 0 : 1]), word(black[2]));
  });
  return {};
}

void TransitionPasses::fadeByDifference(FadeOrder order) {
  const auto steps = differenceSteps(transition_.progress, order);
  Pass pass = passOver(Shader::transition_steps, transition_.from, transition_.to);
  pass.push.push_back(addTable(plan_.tables, static_cast<int>(steps.size()),
                               [&](int k) -> int32_t { return steps[static_cast<size_t>(k)]; }));
  pass.groups[2] = 3;
  plan_.passes.push_back(std::move(pass));
}

void TransitionPasses::fadeByDistance() {
  const SurfaceLayout& layout = transition_.target.layout;
  Pass pass = passOver(Shader::transition_distance, transition_.from, transition_.to);
  append(pass.push, word(maxFadingDistance(transition_.progress)), uint32_t{toWeight(transition_.progress)});
  pass.groups = groupsFor(layout.chromaWidth(), layout.chromaHeight());
  plan_.passes.push_back(std::move(pass));
}

void TransitionPasses::squeeze(Axis axis) {
  const bool across = axis == Axis::kX;
  const Rect band = squeezedBand(transition_.progress, canvas(), axis);
  addBoth(passOver(Shader::transition_squeeze, transition_.to, transition_.from),
          [&](Pass& own, PlaneGroup group, int width, int height) {
            const int count = across ? width : height;
            RectCoverage covered;
            covered.cover(band, canvas(), group);
            const uint32_t weights = weightsOf(across ? covered.columns : covered.rows, count);
            const SqueezedAxis squeezed(count, 1 - transition_.progress);
            const uint32_t samples = addTable(plan_.tables, count * squeezed.taps, [&](int k) {
              return squeezed.source(k / squeezed.taps, k % squeezed.taps);
            });
            own.constants.push_back(across ? 1 : 0);
            append(own.push, weights, samples, word(squeezed.taps));
            for (int tap = 1; tap < SqueezedAxis::kMaxTaps; ++tap)
              own.push.push_back(toWeight(1.0 / (tap + 1)));
          });
}

void TransitionPasses::pixelize() {
  // Blocks smaller than a pixel are single samples.
  const double size = std::max(1.0, blockSize(transition_.progress, canvas()));
  addBoth(passOver(Shader::transition_blocks, transition_.from, transition_.to),
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
            append(own.push, columns, rows, uint32_t{toWeight(transition_.progress)});
          });
}

void TransitionPasses::blurHorizontally() {
  const SurfaceLayout& layout = transition_.target.layout;
  Pass pass = passOver(Shader::transition_smear, transition_.from, transition_.to);
  append(pass.push, uint32_t{toWeight(transition_.progress)},
         word(blurredSamples(transition_.progress, layout.width, PlaneGroup::kLuma, layout.width)),
         word(blurredSamples(transition_.progress, layout.width, PlaneGroup::kChroma, layout.chromaWidth())));
  pass.groups = {word(layout.height), 1, 3};
  plan_.passes.push_back(std::move(pass));
}

void TransitionPasses::panWithBlur(Heading heading) {
  constexpr int kStretch = 64;  // as in the shader
  const bool isAcross = heading.axis() == Axis::kX;
  addBoth(passOver(Shader::transition_pan, transition_.from, transition_.to), [&](Pass& own, PlaneGroup,
                                                                                  int width, int height) {
    const PanBlur pan = panBlur(transition_.progress, heading, isAcross ? width : height);
    const uint32_t strip = addTable(plan_.tables, pan.count(), [&](int k) {
      const PanSample sample = pan.at(pan.first() + k);
      return 2 * sample.index + (sample.isTo ? 1 : 0);
    });
    own.constants.push_back(isAcross ? 1 : 0);
    append(own.push, strip, word(pan.length), word(pan.startFraction()), word(pan.endFraction()),
           word(pan.span()));
    // Invocations draw a stretch of four rows or of four columns.
    own.groups =
        isAcross
            ? std::array<uint32_t, 3>{word((width + kStretch - 1) / kStretch), word((height + 31) / 32), 1}
            : std::array<uint32_t, 3>{word((width + 127) / 128), word((height + kStretch - 1) / kStretch), 1};
  });
}

void TransitionPasses::glitch() {
  const SurfaceLayout& layout = transition_.target.layout;
  Pass pass = passOver(Shader::transition_glitch, transition_.from, transition_.to);
  for (int p = 0; p < 3; ++p) {
    const uint32_t at = plan_.tables.size();
    for (const GlitchRow& row : glitchRows(transition_.progress, canvas(), p)) {
      for (const int value : {row.row.isTo ? 1 : 0, row.row.shift, row.block.isTo ? 1 : 0, row.block.shift,
                              row.blockStart, row.blockEnd})
        plan_.tables.push(value);
    }
    pass.push.push_back(at);
  }
  pass.groups = groupsFor(layout.width, layout.height);
  pass.groups[2] = 3;
  plan_.passes.push_back(std::move(pass));
}

void TransitionPasses::curl(Heading heading) {
  const SurfaceLayout& layout = transition_.target.layout;
  const PageCurl curl = pageCurl(transition_.progress, canvas(), heading);
  const uint32_t at = plan_.tables.size();
  for (const kernels::CurlStep& step : curl.steps) {
    for (const int value :
         {step.backShift, step.frontShift, step.roll, step.shadow, step.backGain, step.frontGain,
          step.backOffset[0], step.backOffset[1], step.frontOffset[0], step.frontOffset[1]})
      plan_.tables.push(value);
  }
  Pass pass = passOver(Shader::transition_curl, transition_.from, transition_.to);
  append(pass.push, word(curl.normalX), word(curl.normalY), word(curl.first), at,
         word(static_cast<int>(curl.steps.size())), word(curl.shadowReach), word(curl.shadowSlope));
  pass.groups = groupsFor(layout.width, layout.height);
  pass.groups[2] = 3;
  plan_.passes.push_back(std::move(pass));
}

Status TransitionPasses::light(const TransitionLight& light) {
  Pass pass = passOver(Shader::transition_light, transition_.from, transition_.to);
  FW_ASSIGN_OR_RETURN(const vulkan::Buffer* const pattern, patterns_.require(light.pattern, canvas(), plan_));
  pass.sources.push_back(pattern);
  const LightTables& tables = light.tables;
  const uint32_t at = addTable(plan_.tables, 2 * kPatternSteps, [&](int k) {
    const auto step = static_cast<size_t>(k / 2);
    if (k % 2 == 0) return tables.toWeights[step] | tables.lightWeights[step] << 16;
    return tables.colors[0][step] | tables.colors[1][step] << 8 | tables.colors[2][step] << 16;
  });
  addBoth(pass, [&](Pass& own, PlaneGroup, int, int) {
    append(own.push, at, PatternBuffers::stride(canvas().width));
  });
  return {};
}

}  // namespace framewright::gpu
