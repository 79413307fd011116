#include "compositor/vulkan/passes/effect_passes.h"

#include <algorithm>

#include "compositor/plan/effects/correction_curves.h"
#include "compositor/plan/effects/grade_table.h"
#include "compositor/vulkan/shaders/record_fields.h"

namespace framewright::gpu {
namespace {

uint32_t writeCurve(Tables& tables, const Curve8& curve) {
  const uint32_t at = tables.add(64);
  for (size_t i = 0; i < 64; ++i) {
    const size_t k = 4 * i;
    tables.set(at + static_cast<uint32_t>(i),
               static_cast<int32_t>(curve[k] | curve[k + 1] << 8 | curve[k + 2] << 16 |
                                    static_cast<uint32_t>(curve[k + 3]) << 24));
  }
  return at;
}

std::array<uint32_t, 3> planesOf(std::array<uint32_t, 3> groups, uint32_t planes) {
  return {groups[0], groups[1], planes};
}

}  // namespace

Result<std::shared_ptr<vulkan::Buffer>> EffectPasses::scratch(uint64_t bytes) {
  FW_ASSIGN_OR_RETURN(std::shared_ptr<vulkan::Buffer> buffer, pool_.acquire(bytes + kReadBeyond));
  plan_.used.push_back(buffer);
  return buffer;
}

void EffectPasses::correct(const DeviceSurface& surface, const Correction& correction) {
  const SurfaceLayout& layout = surface.layout;
  const auto applyCurve = [&](const Curve8& curve, int firstPlane, uint32_t planes, int width, int height) {
    Pass pass{Shader::correct, {}, surface.buffer.get()};
    appendSurface(pass.push, layout);
    append(pass.push, writeCurve(plan_.tables, curve), word(firstPlane));
    pass.groups = planesOf(groupsFor(width, height), planes);
    add(std::move(pass));
  };
  if (changesLuma(correction)) applyCurve(lumaCurve(correction), 0, 1, layout.width, layout.height);
  if (correction.saturation != 1)
    applyCurve(chromaCurve(correction), 1, 2, layout.chromaWidth(), layout.chromaHeight());
}

Status EffectPasses::grade(const DeviceSurface& surface, const DeviceImage& table) {
  const SurfaceLayout& layout = surface.layout;
  const kernels::SignalMatrix m = gradeMatrix();
  const uint32_t matrix = plan_.tables.size();
  for (const int32_t value :
       {m.y, m.redCr, m.greenCb, m.greenCr, m.blueCb, m.redOffset, m.greenOffset, m.blueOffset})
    plan_.tables.push(value);
  FW_ASSIGN_OR_RETURN(const Straight straight,
                      straighten(surface, 0, 0, layout.chromaWidth(), layout.chromaHeight()));
  for (const uint32_t group : {1u, 0u}) {
    Pass pass{Shader::grade, {group}, surface.buffer.get(), {straight.buffer.get(), table.buffer.get()}};
    appendSurface(pass.push, layout);
    append(pass.push, straight.start, straight.rows, word(straight.width), word(straight.height), matrix,
           table.levels()[0].lumaStride / 4);
    pass.groups = group == 0 ? groupsFor(layout.width, layout.height)
                             : groupsFor(layout.chromaWidth(), layout.chromaHeight());
    add(std::move(pass));
  }
  return {};
}

Status EffectPasses::hide(const DeviceSurface& surface, Pass weigh) {
  const SurfaceLayout& layout = surface.layout;
  FW_ASSIGN_OR_RETURN(const auto weights, scratch(uint64_t{weightStride(layout)} * 4 * word(layout.height)));
  weigh.target = weights.get();
  weigh.groups = groupsFor(layout.width, layout.height);
  add(std::move(weigh));
  Pass pass{Shader::hide, {}, surface.buffer.get(), {weights.get()}};
  appendSurface(pass.push, layout);
  append(pass.push, weightStride(layout), word(records_.leftEdge()));
  pass.groups = planesOf(groupsFor(layout.width, layout.height), 5);
  add(std::move(pass));
  return {};
}

Status EffectPasses::cutShape(const DeviceSurface& surface, const Affine& box, double width, double height,
                              double radius) {
  const SurfaceLayout& layout = surface.layout;
  const uint32_t record = plan_.tables.add(kRecordWords);
  records_.writeShape(record, layout.size(), box);
  const auto field = [&](int index) { return plan_.tables.words()[record + word(index)]; };
  const double rounded = std::min(radius, std::min(width, height) / 2);
  const Affine toBox = scaling(width, height) * inverse(box);
  Pass weigh{Shader::hide_shape};
  append(weigh.push, weightStride(layout), word(layout.width), word(layout.height), field(kQuadRows),
         field(kQuadFirstRow), field(kQuadEndRow), word(toBox.xx), word(toBox.xy), word(toBox.dx),
         word(toBox.yx), word(toBox.yy), word(toBox.dy), word(width), word(height), word(rounded));
  return hide(surface, std::move(weigh));
}

Status EffectPasses::cutMask(const DeviceSurface& surface, const DeviceSurface& mask) {
  Pass weigh{Shader::hide_masked, {}, nullptr, {mask.buffer.get()}};
  appendSurface(weigh.push, mask.layout);
  append(weigh.push, weightStride(surface.layout));
  return hide(surface, std::move(weigh));
}

Result<EffectPasses::Straight> EffectPasses::straighten(const DeviceSurface& surface, int left, int top,
                                                        int width, int height) {
  Straight straight{nullptr, 0, 0, width, height};
  const uint32_t samples = word(width) * word(height);
  FW_ASSIGN_OR_RETURN(straight.buffer, scratch(4 * uint64_t{samples + 2 * word(height)}));
  Pass read{Shader::straight_samples, {}, straight.buffer.get(), {surface.buffer.get()}};
  appendSurface(read.push, surface.layout);
  append(read.push, word(left), word(top), word(width), word(height), 0u, samples);
  read.groups = {word(height), 1, 1};
  add(std::move(read));
  Pass rows{Shader::straight_rows, {}, straight.buffer.get()};
  append(rows.push, samples, samples + word(height), word(height));
  rows.groups = {word(height + 63) / 64, 1, 1};
  add(std::move(rows));
  straight.rows = samples + word(height);
  return straight;
}

Status EffectPasses::blend(const DeviceSurface& frame, const DeviceSurface& surface, int x, int y,
                           const Rect& window, double opacity, BlendMode mode) {
  const SurfaceLayout &canvas = frame.layout, &layer = surface.layout;
  const int left = std::max(0, x), top = std::max(0, y);
  const int width = std::min(canvas.width, x + layer.width) - left,
            height = std::min(canvas.height, y + layer.height) - top;
  if (width <= 0 || height <= 0) return {};
  const uint32_t record = plan_.tables.add(kRecordWords);
  if (!records_.writeWindow(record, canvas.size(), window, opacity)) return {};
  const int chromaWidth = (width + 1) / 2, chromaHeight = (height + 1) / 2;
  FW_ASSIGN_OR_RETURN(const Straight straight,
                      straighten(surface, (left - x) / 2, (top - y) / 2, chromaWidth, chromaHeight));
  FW_ASSIGN_OR_RETURN(const auto changes, scratch(4 * uint64_t{word(width)} * word(height)));
  const uint32_t corner = word(left - x) + word(top - y) * layer.lumaStride;
  for (const uint32_t writesChanges : {1u, 0u}) {
    Pass pass{Shader::blend, {static_cast<uint32_t>(mode), writesChanges}};
    pass.target = writesChanges == 1 ? changes.get() : frame.buffer.get();
    pass.sources = {surface.buffer.get(), straight.buffer.get()};
    if (writesChanges == 1) pass.sources.push_back(frame.buffer.get());
    append(pass.push, canvas.y, canvas.u, canvas.v, canvas.lumaStride, canvas.chromaStride, word(left),
           word(top), word(width), word(height), layer.y + corner, layer.alpha + corner, layer.lumaStride,
           straight.start, straight.rows, word(straight.width), word(straight.height), record);
    pass.groups = groupsFor(width + 4, height);
    add(std::move(pass));
  }
  Pass chroma{Shader::blend_chroma, {}, frame.buffer.get(), {changes.get()}};
  append(chroma.push, canvas.u, canvas.v, canvas.chromaStride, word(left), word(top), word(width),
         word(height));
  chroma.groups = groupsFor(chromaWidth + 4, chromaHeight);
  add(std::move(chroma));
  return {};
}

}  // namespace framewright::gpu
