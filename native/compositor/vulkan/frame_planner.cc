#include "compositor/vulkan/frame_planner.h"

#include <algorithm>
#include <string>

#include "compositor/vulkan/shaders/record_fields.h"

namespace framewright::gpu {
namespace {

// As cpu/cpu_compositor.cc has them.
constexpr double kOpaque = 1 - 1.0 / 1024;

bool covers(const Rect& rect, const CanvasSize& canvas) {
  constexpr double kTolerance = 1.0 / 512;
  return rect.x <= kTolerance && rect.y <= kTolerance && rect.right() >= canvas.width - kTolerance &&
         rect.bottom() >= canvas.height - kTolerance;
}

// Whether what is opaque stays so.
bool keepsOpaque(const LayerEffects& effects) {
  LayerEffects others = effects;
  others.correction.reset();
  return others ==
         LayerEffects{.box = effects.box, .boxWidth = effects.boxWidth, .boxHeight = effects.boxHeight};
}

// A layer with a picture of its own goes on beyond an odd canvas's edge, transparent.
bool fadesAtEdge(const LayerEffects& effects, const CanvasSize& canvas) {
  const bool apart = effects.correction || !effects.box.isAxisAligned();
  return apart && (canvas.width % 2 == 1 || canvas.height % 2 == 1);
}

// Few kinds of pipelines, since each takes a while to make: the cheapest that draws all of `kinds`.
uint32_t pipelineKinds(int kinds) {
  constexpr int kCopies = kFillKind | kCopiedKind, kUpright = kCopies | kFilteredKind,
                kAll = kUpright | kTurnedFillKind | kTurnedKind | kWaveformKind;
  for (const int all : {kCopies, kUpright}) {
    if ((kinds & ~all) == 0) return static_cast<uint32_t>(all);
  }
  return kAll;
}

Error noPicture(int index) {
  return {ErrorCode::UNEXPECTED, "A layer has no picture.", "picture " + std::to_string(index)};
}

}  // namespace

FramePlanner::FramePlanner(BufferPool& pool, ResidentPictures& residents)
    : pool_(pool), residents_(residents), patterns_(pool) {}

Status FramePlanner::plan(const DrawList& list, std::span<const PicturePtr> pictures,
                          const DeviceSurface& target, FramePlan& plan) {
  plan_ = &plan;
  pictures_ = pictures;
  records_.emplace(plan.tables);
  residents_.beginFrame();
  return planList(list, target);
}

const DevicePicture* FramePlanner::frameAt(int index) const {
  if (index < 0 || static_cast<size_t>(index) >= pictures_.size()) return nullptr;
  return static_cast<const DevicePicture*>(pictures_[static_cast<size_t>(index)].get());
}

bool FramePlanner::hidesAll(const Layer& layer, const CanvasSize& canvas) const {
  if (layer.kind == Layer::Kind::kTransition) return true;
  if (layer.opacity < kOpaque || !layer.toCanvas.isAxisAligned()) return false;
  if (layer.effects && (!keepsOpaque(*layer.effects) || fadesAtEdge(*layer.effects, canvas))) return false;
  if (!covers(drawnRect(layer.toCanvas), canvas) || (layer.window && !covers(*layer.window, canvas)))
    return false;
  if (layer.kind == Layer::Kind::kFill) return layer.fill.a == 255;
  if (layer.kind == Layer::Kind::kWaveform) return false;
  const DevicePicture* picture = frameAt(layer.picture);
  return picture != nullptr && picture->isOpaque();
}

Status FramePlanner::planList(const DrawList& list, const DeviceSurface& target) {
  size_t first = list.layers.size();
  while (first > 0 && !hidesAll(list.layers[first - 1], target.layout.size())) --first;
  if (first > 0) --first;
  Stack stack{&target};
  for (size_t i = first; i < list.layers.size(); ++i) FW_RETURN_IF_ERROR(planLayer(list.layers[i], stack));
  flush(stack);
  return {};
}

Status FramePlanner::planLayer(const Layer& layer, Stack& stack) {
  const CanvasSize canvas = stack.target->layout.size();
  if (layer.kind == Layer::Kind::kTransition) return planTransition(layer, stack);
  const Rect window = layer.window ? intersection(*layer.window, canvas.rect()) : canvas.rect();
  if (window.width <= 0 || window.height <= 0) return {};
  const double opacity = layer.opacity >= kOpaque ? 1 : layer.opacity;
  if (layer.kind == Layer::Kind::kPicture && frameAt(layer.picture) == nullptr)
    return noPicture(layer.picture);
  if (layer.effects) return planEffects(layer, window, opacity, stack);
  return addContent(layer, {layer.toCanvas, window, opacity}, stack);
}

Status FramePlanner::addContent(const Layer& layer, const Placement& placement, Stack& stack) {
  const CanvasSize surface = stack.target->layout.size();
  if (layer.kind == Layer::Kind::kFill) {
    addRecords(stack, [&](uint32_t record, PlaneGroup group) {
      return records_->writeFill(record, group, surface, layer.fill, placement);
    });
    return {};
  }
  if (layer.kind == Layer::Kind::kWaveform) {
    addRecords(stack, [&](uint32_t record, PlaneGroup group) {
      return records_->writeWaveform(record, group, surface, layer, placement);
    });
    return {};
  }
  const DevicePicture& picture = *frameAt(layer.picture);
  const Rect crop{layer.crop.x * picture.width(), layer.crop.y * picture.height(),
                  layer.crop.width * picture.width(), layer.crop.height * picture.height()};
  return addPicture(layer.picture, crop, placement, stack);
}

Status FramePlanner::addPicture(int index, const Rect& crop, const Placement& placement, Stack& stack) {
  const auto picture = std::static_pointer_cast<const DevicePicture>(pictures_[static_cast<size_t>(index)]);
  FW_RETURN_IF_ERROR(residents_.require(picture, 1, *plan_));
  const uint32_t source = sourceIn(stack, picture->buffer.get());
  const SourcePicture from = sourceOf(*picture);
  const RecordNeeds needs = addRecords(stack, [&](uint32_t record, PlaneGroup group) {
    return records_->writePicture(record, group, stack.target->layout.size(), from, source, crop, placement);
  });
  return residents_.require(picture, needs.levels, *plan_);
}

uint32_t FramePlanner::sourceIn(Stack& stack, const vulkan::Buffer* buffer) {
  const auto known = std::find(stack.sources.begin(), stack.sources.end(), buffer);
  if (known != stack.sources.end()) return static_cast<uint32_t>(known - stack.sources.begin());
  if (stack.sources.size() == vulkan::Device::kSources) flush(stack);
  stack.sources.push_back(buffer);
  return static_cast<uint32_t>(stack.sources.size()) - 1;
}

void FramePlanner::flush(Stack& stack) {
  const SurfaceLayout& layout = stack.target->layout;
  const std::array<uint8_t, 3> black = yuvOf(Color{0, 0, 0, 255});
  Tables& tables = plan_->tables;
  for (uint32_t group = 0; group < 2; ++group) {
    const std::vector<uint32_t>& records = stack.records[group];
    if (records.empty() && !stack.startsEmpty) continue;
    const uint32_t at = tables.add(records.size() * kRecordWords);
    for (size_t i = 0; i < records.size(); ++i) {
      for (uint32_t w = 0; w < kRecordWords; ++w) {
        tables.set(at + static_cast<uint32_t>(i) * kRecordWords + w,
                   static_cast<int32_t>(tables.words()[records[i] + w]));
      }
    }
    Pass pass{Shader::stack};
    pass.constants = {group, layout.hasAlpha ? 1u : 0u, pipelineKinds(stack.kinds[group])};
    pass.target = stack.target->buffer.get();
    pass.sources = stack.sources;
    const auto surface = surfaceWords(layout);
    pass.push.assign(surface.begin(), surface.end());
    const bool transparent = layout.hasAlpha;
    pass.push.insert(pass.push.end(), {at, static_cast<uint32_t>(records.size()), stack.startsEmpty ? 1u : 0u,
                                       transparent ? 0u : black[group], transparent ? 0u : black[2], 0u});
    pass.groups = groupsFor(group == 0 ? layout.width : layout.chromaWidth(),
                            group == 0 ? layout.height : layout.chromaHeight());
    pass.waits = group == 0 || stack.records[0].empty();
    plan_->passes.push_back(std::move(pass));
  }
  stack.startsEmpty = false;
  for (size_t group = 0; group < 2; ++group) {
    stack.records[group].clear();
    stack.kinds[group] = 0;
  }
  stack.sources.clear();
}

Result<DeviceSurface> FramePlanner::scratch(int width, int height, bool hasAlpha) {
  DeviceSurface surface{nullptr, layoutOf(width, height, hasAlpha)};
  FW_ASSIGN_OR_RETURN(surface.buffer, pool_.acquire(surface.layout.bytes + kReadBeyond));
  plan_->used.push_back(surface.buffer);
  return surface;
}

}  // namespace framewright::gpu
