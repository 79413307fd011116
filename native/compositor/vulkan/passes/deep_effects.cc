#include "compositor/vulkan/passes/deep_effects.h"

#include <cmath>

#include "compositor/vulkan/shaders/record_fields.h"

namespace framewright::gpu {
namespace {

// Values of shaders/effects/blur_floats.comp.
enum class FloatBlurStep : uint32_t { kWiden, kNarrow, kAcross, kDown, kHalve, kDouble };

// As deep/blur_image.cc.
constexpr double kMinBlur = 0.1, kMaxFullSigma = 8;
constexpr double kHalvingVariance = 1;  // of a halving and a doubling, in pixels

// Writes the weights of a Gaussian filter to the tables; `reach` is set to its taps on each side.
uint32_t writeGaussian(Tables& tables, double sigma, int& reach) {
  reach = std::max(1, static_cast<int>(std::ceil(3 * sigma)));
  const auto at = [sigma](int k) { return std::exp(-k * k / (2 * sigma * sigma)); };
  double total = 0;
  for (int k = -reach; k <= reach; ++k) total += at(k);
  const uint32_t start = tables.size();
  for (int k = -reach; k <= reach; ++k) tables.pushFloat(static_cast<float>(at(k) / total));
  return start;
}

Pass blurPass(FloatBlurStep step, const vulkan::Buffer& target, const vulkan::Buffer& source, int fromWidth,
              int fromHeight, int width, int height) {
  Pass pass{Shader::blur_floats, {static_cast<uint32_t>(step)}, &target, {&source}};
  pass.push = {0, 0, 0, word(fromWidth), word(fromHeight), word(width), word(height), 0, 0};
  pass.groups = groupsFor(width, height);
  return pass;
}

}  // namespace

void DeepEffectPasses::correct(const DeviceSurface& surface, const Correction& correction) {
  Pass pass{Shader::correct_floats, {}, surface.buffer.get()};
  appendSurface(pass.push, surface.layout);
  append(pass.push, word(correction.contrast), word(correction.brightness), word(1 / correction.gamma),
         word(correction.saturation));
  pass.groups = groupsFor(surface.layout.width, surface.layout.height);
  pass.groups[2] = 3;
  plan_.passes.push_back(std::move(pass));
}

Result<DeepEffectPasses::Field> DeepEffectPasses::newField(int width, int height) {
  const uint64_t bytes = 4 * uint64_t{word(width)} * word(height);
  FW_ASSIGN_OR_RETURN(std::shared_ptr<vulkan::Buffer> buffer, pool_.acquire(bytes + kReadBeyond));
  plan_.used.push_back(buffer);
  return Field{std::move(buffer), width, height};
}

Status DeepEffectPasses::blur(const DeviceSurface& surface, double sigma) {
  const SurfaceLayout& s = surface.layout;
  for (const uint32_t start : {s.y, s.alpha})
    FW_RETURN_IF_ERROR(blurPlane(surface, start, s.lumaStride, s.width, s.height, sigma));
  for (const uint32_t start : {s.u, s.v, s.chromaAlpha})
    FW_RETURN_IF_ERROR(
        blurPlane(surface, start, s.chromaStride, s.chromaWidth(), s.chromaHeight(), sigma / 2));
  return {};
}

Status DeepEffectPasses::blurPlane(const DeviceSurface& surface, uint32_t start, uint32_t stride, int width,
                                   int height, double sigma) {
  if (sigma < kMinBlur) return {};
  FW_ASSIGN_OR_RETURN(const Field field, blurredPlane(surface, start, stride, width, height, sigma));
  Pass narrow =
      blurPass(FloatBlurStep::kNarrow, *surface.buffer, *field.buffer, width, height, width, height);
  narrow.push[1] = start;
  narrow.push[2] = stride;
  plan_.passes.push_back(std::move(narrow));
  return {};
}

Result<DeepEffectPasses::Field> DeepEffectPasses::blurredPlane(const DeviceSurface& from, uint32_t start,
                                                               uint32_t stride, int width, int height,
                                                               double sigma) {
  FW_ASSIGN_OR_RETURN(Field field, newField(width, height));
  Pass widen = blurPass(FloatBlurStep::kWiden, *field.buffer, *from.buffer, width, height, width, height);
  widen.push[0] = start;
  widen.push[2] = stride;
  plan_.passes.push_back(std::move(widen));
  FW_RETURN_IF_ERROR(blurField(field, sigma));
  return field;
}

Status DeepEffectPasses::blurField(Field& field, double sigma) {
  if (sigma < kMinBlur) return {};
  const int width = field.width, height = field.height;
  if (sigma > kMaxFullSigma) {
    FW_ASSIGN_OR_RETURN(Field half, newField((width + 1) / 2, (height + 1) / 2));
    plan_.passes.push_back(
        blurPass(FloatBlurStep::kHalve, *half.buffer, *field.buffer, width, height, half.width, half.height));
    FW_RETURN_IF_ERROR(blurField(half, std::sqrt(sigma * sigma - kHalvingVariance) / 2));
    plan_.passes.push_back(blurPass(FloatBlurStep::kDouble, *field.buffer, *half.buffer, half.width,
                                    half.height, width, height));
    return {};
  }
  FW_ASSIGN_OR_RETURN(const Field between, newField(width, height));
  int reach = 0;
  const uint32_t weights = writeGaussian(plan_.tables, sigma, reach);
  for (const FloatBlurStep step : {FloatBlurStep::kAcross, FloatBlurStep::kDown}) {
    const Field &to = step == FloatBlurStep::kAcross ? between : field,
                &from = step == FloatBlurStep::kAcross ? field : between;
    Pass pass = blurPass(step, *to.buffer, *from.buffer, width, height, width, height);
    pass.push[7] = weights;
    pass.push[8] = word(reach);
    plan_.passes.push_back(std::move(pass));
  }
  return {};
}

Status DeepEffectPasses::dropShadows(const DeviceSurface& surface, const std::vector<DropShadow>& shadows) {
  for (const PlaneGroup group : kPlaneGroups) FW_RETURN_IF_ERROR(castShadows(surface, shadows, group));
  return {};
}

Status DeepEffectPasses::castShadows(const DeviceSurface& surface, const std::vector<DropShadow>& shadows,
                                     PlaneGroup group) {
  const SurfaceLayout& s = surface.layout;
  const bool isLuma = group == PlaneGroup::kLuma;
  const int width = isLuma ? s.width : s.chromaWidth(), height = isLuma ? s.height : s.chromaHeight();
  const double pixels = isLuma ? 1 : 2;  // per sample
  // All shapes are taken before the first shadow changes the alpha.
  std::vector<Field> casts;
  for (const DropShadow& shadow : shadows) {
    FW_ASSIGN_OR_RETURN(Field cast, blurredPlane(surface, isLuma ? s.alpha : s.chromaAlpha,
                                                 isLuma ? s.lumaStride : s.chromaStride, width, height,
                                                 shadow.blur / pixels));
    casts.push_back(std::move(cast));
  }
  for (size_t i = 0; i < shadows.size(); ++i) {
    const double x = -shadows[i].x / pixels, y = -shadows[i].y / pixels;
    const std::array<int, 3> color = format_.valuesOf(shadows[i].color);
    Pass pass{Shader::shadow_floats, {isLuma ? 0u : 1u}, surface.buffer.get(), {casts[i].buffer.get()}};
    appendSurface(pass.push, s);
    append(pass.push, word(static_cast<int>(std::floor(x))), word(static_cast<int>(std::floor(y))),
           word(x - std::floor(x)), word(y - std::floor(y)), word(color[isLuma ? 0 : 1]), word(color[2]),
           word(shadows[i].color.a / 255.0));
    pass.groups = groupsFor(width, height);
    plan_.passes.push_back(std::move(pass));
  }
  return {};
}

bool DeepEffectPasses::blend(const DeviceSurface& overlay, const DeviceSurface& frame,
                             const DeviceSurface& surface, int x, int y, const Rect& window, double opacity,
                             BlendMode mode) {
  const uint32_t record = plan_.tables.add(kRecordWords);
  if (!records_.writeWindow(record, frame.layout.size(), window, opacity)) return false;
  for (const uint32_t group : {0u, 1u}) {
    Pass pass{Shader::blend_floats, {static_cast<uint32_t>(mode), group, format_.matrix()}};
    pass.target = overlay.buffer.get();
    pass.sources = {surface.buffer.get(), frame.buffer.get()};
    appendSurface(pass.push, surface.layout);
    const SurfaceLayout& to = frame.layout;
    append(pass.push, to.y, to.u, to.v, to.lumaStride, to.chromaStride, word(to.width), word(to.height),
           word(x), word(y), record);
    pass.groups = group == 0 ? groupsFor(surface.layout.width, surface.layout.height)
                             : groupsFor(surface.layout.chromaWidth(), surface.layout.chromaHeight());
    pass.waits = group == 0;
    plan_.passes.push_back(std::move(pass));
  }
  return true;
}

}  // namespace framewright::gpu
