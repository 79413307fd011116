#include "compositor/vulkan/records/layer_records.h"

#include <algorithm>

#include "compositor/plan/axis_filter.h"
#include "compositor/plan/color.h"
#include "compositor/planar_image.h"
#include "compositor/vulkan/shaders/record_fields.h"

namespace framewright::gpu {
namespace {

int toInt(uint32_t value) { return static_cast<int>(value); }

int foundLevel(const SourceImage& image, int level) {
  return std::min(std::clamp(level, 0, PlanarImage::kMaxLevels - 1), image.levelCount - 1);
}

}  // namespace

SourceImage sourceOf(const DeviceImage& image) {
  return {image.width(),         image.height(),
          image.isOpaque(),      image.host().chromaOffset(),
          image.levels().data(), static_cast<int>(image.levels().size())};
}

SourceImage sourceOf(const SurfaceLayout& layout) {
  return {layout.width, layout.height, !layout.hasAlpha, 0.25, &layout, 1};
}

RecordNeeds LayerRecords::writeFill(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                    const Color& color, const Placement& placement) {
  const Rect& window = placement.window;
  const Affine to = placement.extendsEdges ? unitSquareTo(window) : placement.toSurface;
  const bool isAxisAligned = to.isAxisAligned();
  coverage_.cover(isAxisAligned ? intersection(axisAlignedRect(to), window) : window, surface, group);
  if (coverage_.empty()) return {.empty = true};
  const double strength = placement.opacity * color.a / 255.0;
  const std::array<uint8_t, 3> yuv = yuvOf(color);
  const bool luma = group == PlaneGroup::kLuma;
  tables_.set(record + kValues, luma ? yuv[0] : yuv[1]);
  tables_.set(record + kValues + 1, yuv[2]);
  const int kind = isAxisAligned ? kFillKind : kRotatedFillKind;
  tables_.set(record + kKind, kind);
  if (isAxisAligned) {
    writeCoverage(record, strength);
  } else {
    writeQuadRows(record, to, group, strength, {});
  }
  return {.kinds = kind};
}

RecordNeeds LayerRecords::writeImage(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                     const SourceImage& image, uint32_t source, const Rect& crop,
                                     const Placement& placement) {
  const auto sampling = planSampling(crop, placement.toSurface, image.width, image.height);
  if (!sampling) return {.empty = true};
  tables_.set(record + kSource, toInt(source));
  tables_.set(record + kHasAlpha, image.isOpaque ? 0 : 1);
  return sampling->isAxisAligned ? writeAxisAligned(record, group, surface, image, crop, placement, *sampling)
                                 : writeRotated(record, group, surface, image, crop, placement, *sampling);
}

RecordNeeds LayerRecords::writeAxisAligned(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                           const SourceImage& image, const Rect& crop,
                                           const Placement& placement, const ImageSampling& sampling) {
  const Rect drawn = placement.extendsEdges
                         ? placement.window
                         : intersection(axisAlignedRect(placement.toSurface), placement.window);
  coverage_.cover(drawn, surface, group);
  if (coverage_.empty()) return {.empty = true};
  const LevelChoice& choice = sampling.levels;
  RecordNeeds needs{.levels = foundLevel(image, choice.level) + 1};
  needs.kinds =
      writeAxisAlignedSampler(record + kSampler, group, image, crop, sampling.imageFromCanvas, choice.level);
  if (choice.towardsNext > 0) {
    needs.kinds |= writeAxisAlignedSampler(record + kSampler + kSamplerWords, group, image, crop,
                                           sampling.imageFromCanvas, choice.level + 1);
    needs.kinds |= kFilteredKind;  // only filtered pipelines read a second sampler
    needs.levels = foundLevel(image, choice.level + 1) + 1;
  }
  tables_.set(record + kTowardsNext, choice.towardsNext);
  tables_.set(record + kKind, (needs.kinds & kFilteredKind) != 0 ? kFilteredKind : kCopiedKind);
  writeCoverage(record, placement.opacity);
  return needs;
}

int LayerRecords::writeAxisAlignedSampler(uint32_t sampler, PlaneGroup group, const SourceImage& image,
                                          const Rect& crop, const Affine& imageFromCanvas, int level) {
  const int found = foundLevel(image, level);
  const SampleBounds bounds = writeSampler(sampler, group, image, crop, found);
  const Affine map = filterMapping(group, imageFromCanvas, image.chromaOffset, found);
  const AxisCoverage &columns = coverage_.columns, &rows = coverage_.rows;
  const auto x = copyOffset(map.xx, map.dx, columns.first, columns.count(), bounds.left, bounds.right);
  const auto y = copyOffset(map.yy, map.dy, rows.first, rows.count(), bounds.top, bounds.bottom);
  if (x && y) {
    tables_.set(sampler + kStepX, *x);
    tables_.set(sampler + kStepY, *y);
    return kCopiedKind;
  }
  buildAxisFilter(filter_, {map.xx, map.dx}, columns.first, columns.count(), bounds.left, bounds.right,
                  FilterKernel::kCatmullRom);
  tables_.set(sampler + kTaps, filter_.taps);
  tables_.set(sampler + kColumnTable, toInt(writeFilter(filter_)));
  buildAxisFilter(filter_, {map.yy, map.dy}, rows.first, rows.count(), bounds.top, bounds.bottom,
                  FilterKernel::kCatmullRom);
  tables_.set(sampler + kRowTaps, filter_.taps);
  tables_.set(sampler + kRowTable, toInt(writeFilter(filter_)));
  return kFilteredKind;
}

uint32_t LayerRecords::writeFilter(const AxisFilter& filter) {
  const uint32_t at = tables_.add(static_cast<size_t>(filter.count) + filter.weights.size() / 2);
  uint32_t next = at;
  for (const int32_t first : filter.firsts) tables_.set(next++, first);
  for (size_t i = 0; i < filter.weights.size(); i += 2) {
    const uint32_t low = static_cast<uint16_t>(filter.weights[i]),
                   high = static_cast<uint16_t>(filter.weights[i + 1]);
    tables_.set(next++, static_cast<int32_t>(low | high << 16));
  }
  return at;
}

SampleBounds LayerRecords::writeSampler(uint32_t sampler, PlaneGroup group, const SourceImage& image,
                                        const Rect& crop, int level) {
  const SurfaceLayout& planes = image.levels[level];
  const bool luma = group == PlaneGroup::kLuma;
  tables_.set(sampler + kPlanes, toInt(luma ? planes.y : planes.u));
  tables_.set(sampler + kPlanes + 1, toInt(planes.v));
  tables_.set(sampler + kPlanes + 2, toInt(luma ? planes.alpha : planes.chromaAlpha));
  tables_.set(sampler + kStride, toInt(luma ? planes.lumaStride : planes.chromaStride));
  const Plane plane{nullptr, 0, luma ? planes.width : planes.chromaWidth(),
                    luma ? planes.height : planes.chromaHeight()};
  const SampleBounds bounds = boundsOf(crop, group, level, plane);
  tables_.set(sampler + kLeft, bounds.left);
  tables_.set(sampler + kTop, bounds.top);
  tables_.set(sampler + kRight, bounds.right);
  tables_.set(sampler + kBottom, bounds.bottom);
  return bounds;
}

void LayerRecords::writeCoverage(uint32_t record, double opacity) {
  const AxisCoverage &columns = coverage_.columns, &rows = coverage_.rows;
  const auto rowWeight = [&](int row) { return toWeight(opacity * rows.at(row) / kernels::kFullWeight); };
  tables_.set(record + kColumnFirst, columns.first);
  tables_.set(record + kColumnEnd, columns.end);
  tables_.set(record + kFirstColumnWeight, columns.at(columns.first));
  tables_.set(record + kLastColumnWeight, columns.at(columns.end - 1));
  tables_.set(record + kRowFirst, rows.first);
  tables_.set(record + kRowEnd, rows.end);
  tables_.set(record + kFirstRowWeight, rowWeight(rows.first));
  tables_.set(record + kLastRowWeight, rowWeight(rows.end - 1));
  tables_.set(record + kRowWeight, toWeight(opacity));
}

RecordNeeds LayerRecords::writeRotated(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                       const SourceImage& image, const Rect& crop, const Placement& placement,
                                       const ImageSampling& sampling) {
  const Rect& window = placement.window;
  coverage_.cover(window, surface, group);
  if (coverage_.empty()) return {.empty = true};
  const LevelChoice& choice = sampling.levels;
  const int count = choice.count();
  std::array<Affine, 2> maps;
  RecordNeeds needs{.kinds = kRotatedKind};
  for (int i = 0; i < count; ++i) {
    const int found = foundLevel(image, choice.level + i);
    const uint32_t sampler = record + static_cast<uint32_t>(kSampler + i * kSamplerWords);
    writeSampler(sampler, group, image, crop, found);
    Affine& map = maps[static_cast<size_t>(i)];
    map = planeMapping(group, sampling.imageFromCanvas, image.chromaOffset, found);
    needs.levels = found + 1;
  }
  tables_.set(record + kTowardsNext, choice.towardsNext);
  tables_.set(record + kKind, kRotatedKind);
  writeQuadRows(record, placement.extendsEdges ? unitSquareTo(window) : placement.toSurface, group,
                placement.opacity, {maps.data(), static_cast<size_t>(count)});
  return needs;
}

RecordNeeds LayerRecords::writeSurface(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                       const SurfaceLayout& from, uint32_t source, int x, int y,
                                       const Rect& window, double opacity) {
  const Rect whole{static_cast<double>(x), static_cast<double>(y), static_cast<double>(from.width),
                   static_cast<double>(from.height)};
  coverage_.cover(intersection(window, whole), surface, group);
  if (coverage_.empty()) return {.empty = true};
  const int shift = group == PlaneGroup::kLuma ? 0 : 1;
  tables_.set(record + kKind, kCopiedKind);
  tables_.set(record + kSource, toInt(source));
  tables_.set(record + kHasAlpha, from.hasAlpha ? 1 : 0);
  const SourceImage image = sourceOf(from);
  writeSampler(record + kSampler, group, image, {0, 0, from.width * 1.0, from.height * 1.0}, 0);
  tables_.set(record + kSampler + kStepX, -(x >> shift));
  tables_.set(record + kSampler + kStepY, -(y >> shift));
  writeCoverage(record, opacity);
  return {.kinds = kCopiedKind};
}

void LayerRecords::writeShape(uint32_t record, const CanvasSize& surface, const Affine& box) {
  coverage_.cover(surface.rect(), surface, PlaneGroup::kLuma);
  writeQuadRows(record, box, PlaneGroup::kLuma, 1, {});
}

bool LayerRecords::writeWindow(uint32_t record, const CanvasSize& surface, const Rect& window,
                               double opacity) {
  coverage_.cover(window, surface, PlaneGroup::kLuma);
  if (coverage_.empty()) return false;
  writeCoverage(record, opacity);
  return true;
}

}  // namespace framewright::gpu
