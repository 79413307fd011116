#include "compositor/plan/effects/blur_plan.h"
#include "compositor/plan/effects/motion_path.h"
#include "compositor/plan/effects/shadow_plan.h"
#include "compositor/vulkan/passes/effect_passes.h"

namespace framewright::gpu {
namespace {

// Values of shaders/effects/blur.comp.
enum BlurStep : uint32_t {
  kWiden,
  kNarrow,
  kAcross,
  kDown,
  kHalveRows,
  kHalveColumns,
  kDoubleRows,
  kDoubleColumns
};

struct Field {
  uint32_t at;  // offset in words
  int width, height;
};

}  // namespace

Status EffectPasses::blur(const DeviceSurface& surface, double sigma) {
  const SurfaceLayout& s = surface.layout;
  for (const uint32_t start : {s.y, s.alpha})
    FW_RETURN_IF_ERROR(blurPlane(surface, surface, start, s.lumaStride, s.width, s.height, sigma));
  for (const uint32_t start : {s.u, s.v, s.chromaAlpha})
    FW_RETURN_IF_ERROR(
        blurPlane(surface, surface, start, s.chromaStride, s.chromaWidth(), s.chromaHeight(), sigma / 2));
  return {};
}

void EffectPasses::blurMotion(const DeviceSurface& surface, const DeviceSurface& still,
                              const std::vector<Affine>& motion, const Affine& fromCanvas) {
  const SurfaceLayout& s = surface.layout;
  for (const PlaneGroup group : kPlaneGroups) {
    const bool isLuma = group == PlaneGroup::kLuma;
    const int width = isLuma ? s.width : s.chromaWidth(), height = isLuma ? s.height : s.chromaHeight();
    const std::vector<MotionCopy> copies = motionCopies(motion, fromCanvas, group, width, height);
    const uint32_t at = plan_.tables.size();
    for (const MotionCopy& copy : copies) {
      for (const int32_t value : {copy.xx, copy.xy, copy.x, copy.yx, copy.yy, copy.y})
        plan_.tables.push(value);
    }
    Pass pass{Shader::blur_motion, {isLuma ? 0u : 1u}, surface.buffer.get(), {still.buffer.get()}};
    appendSurface(pass.push, s);
    append(pass.push, at, static_cast<uint32_t>(copies.size()), static_cast<uint32_t>(motion.size()));
    const auto groups = groupsFor(width, height);
    pass.groups = {groups[0], groups[1], isLuma ? 2u : 3u};
    add(std::move(pass));
  }
}

Status EffectPasses::dropShadows(const DeviceSurface& surface, const std::vector<DropShadow>& shadows) {
  const SurfaceLayout& s = surface.layout;
  for (const PlaneGroup group : kPlaneGroups) {
    const bool isLuma = group == PlaneGroup::kLuma;
    const uint32_t alpha = isLuma ? s.alpha : s.chromaAlpha, stride = isLuma ? s.lumaStride : s.chromaStride;
    const int width = isLuma ? s.width : s.chromaWidth(), height = isLuma ? s.height : s.chromaHeight();
    // All shapes are taken before the first shadow changes the alpha.
    std::vector<DeviceSurface> casts;
    for (const DropShadow& shadow : shadows) {
      DeviceSurface& cast = casts.emplace_back(DeviceSurface{nullptr, s});
      FW_ASSIGN_OR_RETURN(cast.buffer, scratch(s.bytes()));
      FW_RETURN_IF_ERROR(
          blurPlane(cast, surface, alpha, stride, width, height, planShadow(shadow, group).sigma));
    }
    for (size_t i = 0; i < shadows.size(); ++i) {
      const ShadowPlan plan = planShadow(shadows[i], group);
      Pass pass{Shader::drop_shadow, {isLuma ? 0u : 1u}, surface.buffer.get(), {casts[i].buffer.get()}};
      appendSurface(pass.push, s);
      append(pass.push, word(plan.left), word(plan.top), word(plan.right), word(plan.down),
             word(int{plan.color[0]}), word(int{plan.color[1]}), word(int{plan.opacity}),
             word(plan.intensity));
      pass.groups = groupsFor(width, height);
      add(std::move(pass));
    }
  }
  return {};
}

Status EffectPasses::blurPlane(const DeviceSurface& to, const DeviceSurface& from, uint32_t start,
                               uint32_t stride, int width, int height, double sigma) {
  const BlurPlan plan = planBlur(sigma);
  if (plan.sigma <= 0 && to.buffer == from.buffer) return {};
  std::vector<Field> levels;
  uint32_t words = 0;
  for (size_t i = 0; i <= plan.halvings; ++i) {
    levels.push_back({words, width, height});
    words += word(width) * word(height);
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  FW_ASSIGN_OR_RETURN(const auto fields, scratch(4 * uint64_t{words}));
  FW_ASSIGN_OR_RETURN(const auto rows, scratch(4 * uint64_t{word(levels[0].width)} * word(levels[0].height)));
  int16_t taps[kMaxBlurTaps];
  const int count = makeBlurFilter(taps, plan.sigma);
  const uint32_t weights = plan_.tables.size();
  for (int t = 0; t < count; ++t) plan_.tables.push(taps[t]);
  const auto step = [&](BlurStep kind, const vulkan::Buffer& target, const vulkan::Buffer& source,
                        const Field& from, const Field& to) {
    Pass pass{Shader::blur, {kind}, &target, {&source}};
    pass.push = {from.at,        to.at,           stride,  word(from.width), word(from.height),
                 word(to.width), word(to.height), weights, word(count / 2)};
    pass.groups = groupsFor(to.width, to.height);
    add(std::move(pass));
  };
  const Field plane{start, levels[0].width, levels[0].height};
  step(kWiden, *fields, *from.buffer, plane, levels[0]);
  for (size_t i = 0; i < plan.halvings; ++i) {
    const Field lower{0, levels[i].width, levels[i + 1].height};
    step(kHalveRows, *rows, *fields, levels[i], lower);
    step(kHalveColumns, *fields, *rows, lower, levels[i + 1]);
  }
  const Field& smallest = levels.back();
  const Field across{0, smallest.width, smallest.height};
  if (plan.sigma > 0) {
    step(kAcross, *rows, *fields, smallest, across);
    step(kDown, *fields, *rows, across, smallest);
  }
  for (size_t i = plan.halvings; i > 0; --i) {
    const Field taller{0, levels[i].width, levels[i - 1].height};
    step(kDoubleRows, *rows, *fields, levels[i], taller);
    step(kDoubleColumns, *fields, *rows, taller, levels[i - 1]);
  }
  step(kNarrow, *to.buffer, *fields, levels[0], plane);
  return {};
}

}  // namespace framewright::gpu
