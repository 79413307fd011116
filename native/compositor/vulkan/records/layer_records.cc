#include "compositor/vulkan/records/layer_records.h"

#include <algorithm>

#include "compositor/deep/planes/plane_coverage.h"
#include "compositor/plan/axis_filter.h"
#include "compositor/planar_image.h"
#include "compositor/vulkan/records/chroma_filter.h"
#include "compositor/vulkan/shaders/record_fields.h"

namespace framewright::gpu {
namespace {

int toInt(uint32_t value) { return static_cast<int>(value); }

int foundLevel(const SourceImage& image, int level) {
  return std::clamp(level, image.firstLevel, image.firstLevel + image.levelCount - 1);
}

}  // namespace

SourceImage sourceOf(const DeviceImage& image) {
  return {image.width(),        image.height(),        image.isOpaque(),
          image.chromaOffset(), image.levels().data(), static_cast<int>(image.levels().size()),
          image.firstLevel(),   image.firstFraction()};
}

SourceImage sourceOf(const SurfaceLayout& layout) {
  return {layout.width, layout.height, !layout.hasAlpha, 0.25, &layout};
}

RecordNeeds LayerRecords::writeFill(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                    const FillValues& color, const Placement& placement) {
  const Rect& window = placement.window;
  const Affine to = placement.extendsEdges ? unitSquareTo(window) : placement.toSurface;
  const bool isAxisAligned = to.isAxisAligned();
  if (isAxisAligned) {
    cover(intersection(axisAlignedRect(to), window), surface, group);
  } else {
    coverage_.cover(window, surface, group);
  }
  if (coverage_.empty()) return {.empty = true};
  const double strength = placement.opacity * color.alpha;
  const bool luma = group == PlaneGroup::kLuma;
  tables_.set(record + kValues, luma ? color.yuv[0] : color.yuv[1]);
  tables_.set(record + kValues + 1, color.yuv[2]);
  const int kind = isAxisAligned ? kFillKind : kRotatedFillKind;
  tables_.set(record + kKind, kind);
  if (isAxisAligned) {
    writeCoverage(record, strength);
  } else {
    writeQuadRowsOfPixels(record, surface, to, window, group, strength, {});
  }
  return {.kinds = kind};
}

RecordNeeds LayerRecords::writeImage(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                     const SourceImage& image, uint32_t source, const Rect& crop,
                                     const Placement& placement) {
  const auto sampling = planSampling(crop, placement.toSurface, image.width, image.height);
  if (!sampling) return {.empty = true};
  tables_.set(record + kSource, toInt(source));
  tables_.set(record + kHasAlpha, image.isRgba() ? kRgba : image.isOpaque ? 0 : 1);
  return sampling->isAxisAligned ? writeAxisAligned(record, group, surface, image, crop, placement, *sampling)
                                 : writeRotated(record, group, surface, image, crop, placement, *sampling);
}

RecordNeeds LayerRecords::writeAxisAligned(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                           const SourceImage& image, const Rect& crop,
                                           const Placement& placement, const ImageSampling& sampling) {
  const Rect drawn = placement.extendsEdges
                         ? placement.window
                         : intersection(axisAlignedRect(placement.toSurface), placement.window);
  cover(drawn, surface, group);
  if (coverage_.empty()) return {.empty = true};
  const LevelChoice& choice = sampling.levels;
  const bool isChromaOfPixels = image.isRgba() && group == PlaneGroup::kChroma;
  RecordNeeds needs;
  for (int i = 0; i < choice.count(); ++i) {
    const uint32_t sampler = record + static_cast<uint32_t>(kSampler + i * kSamplerWords);
    const int level = choice.level + i;
    needs.kinds |=
        isChromaOfPixels
            ? writeChromaOfPixels(sampler, surface, image, drawn, crop, sampling.imageFromCanvas, level)
            : writeAxisAlignedSampler(sampler, group, image, crop, sampling.imageFromCanvas, level);
    needs.levels = foundLevel(image, level) - image.firstLevel + 1;
  }
  if (choice.count() > 1) needs.kinds |= kFilteredKind;  // only filtered pipelines read a second sampler
  tables_.set(record + kTowardsNext, choice.towardsNext);
  tables_.set(record + kKind, (needs.kinds & kFilteredKind) != 0 ? kFilteredKind : kCopiedKind);
  if (isChromaOfPixels) {
    writeFullCoverage(record, placement.opacity);
  } else {
    writeCoverage(record, placement.opacity);
  }
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

int LayerRecords::writeChromaOfPixels(uint32_t sampler, const CanvasSize& surface, const SourceImage& image,
                                      const Rect& drawn, const Rect& crop, const Affine& imageFromCanvas,
                                      int level) {
  const int found = foundLevel(image, level);
  const SampleBounds bounds = writeSampler(sampler, PlaneGroup::kChroma, image, crop, found);
  const Affine map = filterMapping(PlaneGroup::kLuma, imageFromCanvas, 0, found);
  RectCoverage pixels;
  pixels.cover(drawn, surface, PlaneGroup::kLuma);
  const auto write = [&](AxisMapping mapping, const AxisCoverage& axis, const AxisCoverage& chroma, int low,
                         int high, int size, bool isAcross) {
    AxisFilter own;
    buildAxisFilter(own, mapping, axis.first, axis.count(), low, high, FilterKernel::kCatmullRom);
    filter_ = chromaFilter(own, axis, {chroma.first, chroma.end}, {isAcross ? leftEdge_ : 0, size}, isAcross);
    tables_.set(sampler + static_cast<uint32_t>(isAcross ? kTaps : kRowTaps), filter_.taps);
    tables_.set(sampler + static_cast<uint32_t>(isAcross ? kColumnTable : kRowTable),
                toInt(writeFilter(filter_)));
  };
  write({map.xx, map.dx}, pixels.columns, coverage_.columns, bounds.left, bounds.right, surface.width, true);
  write({map.yy, map.dy}, pixels.rows, coverage_.rows, bounds.top, bounds.bottom, surface.height, false);
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
  const SurfaceLayout& planes = image.levels[level - image.firstLevel];
  const bool luma = group == PlaneGroup::kLuma || planes.isRgba;
  tables_.set(sampler + kPlanes, toInt(luma ? planes.y : planes.u));
  tables_.set(sampler + kPlanes + 1, toInt(planes.isRgba ? planes.u : planes.v));
  tables_.set(sampler + kPlanes + 2, toInt(luma ? planes.alpha : planes.chromaAlpha));
  tables_.set(sampler + kStride, toInt(luma ? planes.lumaStride : planes.chromaStride));
  const Plane plane{nullptr, 0, luma ? planes.width : planes.chromaWidth(),
                    luma ? planes.height : planes.chromaHeight()};
  tables_.set(sampler + kFractionBits,
              level == image.firstLevel ? image.firstFraction : SampleFormat::kFraction);
  const SampleBounds bounds = boundsOf(crop, luma ? PlaneGroup::kLuma : group, level, plane);
  tables_.set(sampler + kLeft, bounds.left);
  tables_.set(sampler + kTop, bounds.top);
  tables_.set(sampler + kRight, bounds.right);
  tables_.set(sampler + kBottom, bounds.bottom);
  return bounds;
}

void LayerRecords::cover(const Rect& rect, const CanvasSize& surface, PlaneGroup group) {
  if (!format_.isDeep()) {
    coverage_.cover(rect, surface, group);
    return;
  }
  const PlaneCoverage planes(rect, surface);
  coverage_ = planes.of(group);
  AxisCoverage& columns = coverage_.columns;
  const int edge = leftEdge_ / 2;
  if (group == PlaneGroup::kLuma || leftEdge_ == 0 || edge < columns.first || edge >= columns.end) return;
  const AxisCoverage& pixels = planes.of(PlaneGroup::kLuma).columns;
  const auto at = [&](int x) { return x >= pixels.first && x < pixels.end ? int{pixels.at(x)} : 0; };
  columns.weights[static_cast<size_t>(edge - columns.first)] =
      static_cast<uint16_t>((3 * at(leftEdge_) + at(leftEdge_ + 1) + 2) / 4);
}

void LayerRecords::writeFullCoverage(uint32_t record, double opacity) {
  for (AxisCoverage* const axis : {&coverage_.columns, &coverage_.rows})
    std::fill(axis->weights.begin(), axis->weights.end(), kernels::kFullWeight);
  writeCoverage(record, opacity);
}

void LayerRecords::writeCoverage(uint32_t record, double opacity) {
  const AxisCoverage &columns = coverage_.columns, &rows = coverage_.rows;
  const auto rowWeight = [&](int row) { return toWeight(opacity * rows.at(row) / kernels::kFullWeight); };
  tables_.set(record + kColumnFirst, columns.first);
  tables_.set(record + kColumnEnd, columns.end);
  tables_.set(record + kFirstColumnWeight, columns.at(columns.first));
  tables_.set(record + kLastColumnWeight, columns.at(columns.end - 1));
  if (format_.isDeep()) {
    tables_.set(record + kSecondColumnWeight, columns.at(std::min(columns.first + 1, columns.end - 1)));
    tables_.set(record + kLastButOneColumnWeight, columns.at(std::max(columns.end - 2, columns.first)));
  }
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
  const bool isChromaOfPixels = image.isRgba() && group == PlaneGroup::kChroma;
  for (int i = 0; i < count; ++i) {
    const int found = foundLevel(image, choice.level + i);
    const uint32_t sampler = record + static_cast<uint32_t>(kSampler + i * kSamplerWords);
    writeSampler(sampler, group, image, crop, found);
    Affine& map = maps[static_cast<size_t>(i)];
    map = planeMapping(group, sampling.imageFromCanvas, image.chromaOffset, found);
    if (isChromaOfPixels) {
      const double shrink = 1.0 / (1 << found);
      map = scaling(shrink, shrink) * sampling.imageFromCanvas * canvasFromPlane(group);
      // A row of chroma is two rows of pixels.
      tables_.set(sampler + kRowStepX, toFixedPosition(map.xy / 2));
      tables_.set(sampler + kRowStepY, toFixedPosition(map.yy / 2));
    }
    needs.levels = std::max(needs.levels, found - image.firstLevel + 1);
  }
  tables_.set(record + kTowardsNext, choice.towardsNext);
  tables_.set(record + kKind, kRotatedKind);
  const Affine shape = placement.extendsEdges ? unitSquareTo(window) : placement.toSurface;
  const std::span<const Affine> walks(maps.data(), static_cast<size_t>(count));
  if (image.isRgba()) {
    writeQuadRowsOfPixels(record, surface, shape, window, group, placement.opacity, walks);
  } else {
    writeQuadRows(record, shape, group, placement.opacity, walks);
  }
  return needs;
}

RecordNeeds LayerRecords::writeSurface(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                       const SurfaceLayout& from, uint32_t source, int x, int y,
                                       const Rect& window, double opacity) {
  const Rect whole{static_cast<double>(x), static_cast<double>(y), static_cast<double>(from.width),
                   static_cast<double>(from.height)};
  if (format_.isDeep()) {
    // Chroma of the window reaches one sample beyond it, which the source may lack.
    cover(window, surface, group);
    coverage_.trim({std::max(x, 0), std::max(y, 0), x + from.width, y + from.height}, group);
  } else {
    cover(intersection(window, whole), surface, group);
  }
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
