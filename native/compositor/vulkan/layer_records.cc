#include "compositor/vulkan/layer_records.h"

#include <algorithm>
#include <cmath>

#include "compositor/vulkan/shaders/record_fields.h"

namespace framewright::gpu {
namespace {

// As cpu/draw_picture.cc has them.
constexpr double kSnap = 1.0 / 256;
constexpr int kLargestWalkable = 32000;

int toInt(uint32_t value) { return static_cast<int>(value); }

std::optional<int> wholeShift(double scale, double offset, int first, int count, int low, int high) {
  const double shift = std::round(offset);
  if (std::abs(scale - 1) * (first + count) > kSnap || std::abs(offset - shift) > kSnap) return std::nullopt;
  const int whole = static_cast<int>(shift);
  if (first + whole < low || first + count - 1 + whole > high) return std::nullopt;
  return whole;
}

struct LevelChoice {
  int level = 0;
  uint16_t towardsNext = 0;
};

LevelChoice chooseLevel(double shrink, double blendFrom) {
  LevelChoice choice;
  if (shrink <= blendFrom) return choice;
  choice.level = static_cast<int>(std::floor(std::log2(shrink)));
  const double rest = shrink / std::exp2(choice.level);
  choice.towardsNext = toWeight((rest - blendFrom) / (2 - blendFrom));
  return choice;
}

int foundLevel(const SourcePicture& picture, int level) {
  return std::min(std::clamp(level, 0, PlanarPicture::kMostLevels - 1), picture.levelCount - 1);
}

}  // namespace

SourcePicture sourceOf(const DevicePicture& picture) {
  return {picture.width(),         picture.height(),
          picture.isOpaque(),      picture.host().chromaOffset(),
          picture.levels().data(), static_cast<int>(picture.levels().size())};
}

SourcePicture sourceOf(const SurfaceLayout& layout) {
  return {layout.width, layout.height, !layout.hasAlpha, 0.25, &layout, 1};
}

RecordNeeds LayerRecords::writeFill(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                    const Color& color, const Placement& placement) {
  const Rect& window = placement.window;
  const Affine everywhere{window.width, 0, window.x, 0, window.height, window.y};
  const Affine& to = placement.endless ? everywhere : placement.toSurface;
  const bool upright = to.isAxisAligned();
  coverage_.cover(upright ? intersection(drawnRect(to), window) : window, surface, group);
  if (coverage_.empty()) return {.empty = true};
  const double strength = placement.opacity * color.a / 255.0;
  const std::array<uint8_t, 3> yuv = yuvOf(color);
  const bool luma = group == PlaneGroup::kLuma;
  tables_.set(record + kValues, luma ? yuv[0] : yuv[1]);
  tables_.set(record + kValues + 1, yuv[2]);
  const int kind = upright ? kFillKind : kTurnedFillKind;
  tables_.set(record + kKind, kind);
  if (upright) {
    writeCoverage(record, strength);
  } else {
    writeQuadRows(record, to, group, strength, {});
  }
  return {.kinds = kind};
}

RecordNeeds LayerRecords::writePicture(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                       const SourcePicture& picture, uint32_t source, const Rect& crop,
                                       const Placement& placement) {
  const Affine& to = placement.toSurface;
  if (crop.width <= 0 || crop.height <= 0 || std::abs(to.xx * to.yy - to.xy * to.yx) < 1e-9)
    return {.empty = true};
  const Affine toPicture{crop.width, 0, crop.x, 0, crop.height, crop.y};
  const Affine pictureFromCanvas = toPicture * inverse(to);
  const double shrink = std::max(std::hypot(pictureFromCanvas.xx, pictureFromCanvas.yx),
                                 std::hypot(pictureFromCanvas.xy, pictureFromCanvas.yy));
  tables_.set(record + kSource, toInt(source));
  tables_.set(record + kHasAlpha, picture.isOpaque ? 0 : 1);
  return to.isAxisAligned()
             ? writeUpright(record, group, surface, picture, crop, placement, pictureFromCanvas, shrink)
             : writeTurned(record, group, surface, picture, crop, placement, pictureFromCanvas, shrink);
}

RecordNeeds LayerRecords::writeUpright(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                       const SourcePicture& picture, const Rect& crop,
                                       const Placement& placement, const Affine& pictureFromCanvas,
                                       double shrink) {
  const Rect drawn =
      placement.endless ? placement.window : intersection(drawnRect(placement.toSurface), placement.window);
  coverage_.cover(drawn, surface, group);
  if (coverage_.empty()) return {.empty = true};
  const LevelChoice choice = chooseLevel(shrink / 1.15, 1.8);
  RecordNeeds needs{.levels = foundLevel(picture, choice.level) + 1};
  needs.kinds = writeUprightSampler(record + kSampler, group, picture, crop, pictureFromCanvas, choice.level);
  if (choice.towardsNext > 0) {
    needs.kinds |= writeUprightSampler(record + kSampler + kSamplerWords, group, picture, crop,
                                       pictureFromCanvas, choice.level + 1);
    needs.kinds |= kFilteredKind;  // which alone looks for a second sampler
    needs.levels = foundLevel(picture, choice.level + 1) + 1;
  }
  tables_.set(record + kTowardsNext, choice.towardsNext);
  tables_.set(record + kKind, (needs.kinds & kFilteredKind) != 0 ? kFilteredKind : kCopiedKind);
  writeCoverage(record, placement.opacity);
  return needs;
}

int LayerRecords::writeUprightSampler(uint32_t sampler, PlaneGroup group, const SourcePicture& picture,
                                      const Rect& crop, const Affine& pictureFromCanvas, int level) {
  const int found = foundLevel(picture, level);
  const SampleBounds bounds = writeSampler(sampler, group, picture, crop, found);
  Affine map = planeMapping(group, pictureFromCanvas, picture.chromaOffset, found);
  map.xx = std::clamp(map.xx, -kLargestFilterScale, kLargestFilterScale);
  map.yy = std::clamp(map.yy, -kLargestFilterScale, kLargestFilterScale);
  const AxisCoverage &columns = coverage_.columns, &rows = coverage_.rows;
  const auto x = wholeShift(map.xx, map.dx, columns.first, columns.count(), bounds.left, bounds.right);
  const auto y = wholeShift(map.yy, map.dy, rows.first, rows.count(), bounds.top, bounds.bottom);
  if (x && y) {
    tables_.set(sampler + kStepX, *x);
    tables_.set(sampler + kStepY, *y);
    return kCopiedKind;
  }
  buildAxisFilter(filter_, {map.xx, map.dx}, columns.first, columns.count(), bounds.left, bounds.right,
                  FilterShape::kSoft);
  tables_.set(sampler + kTaps, filter_.taps);
  tables_.set(sampler + kColumnTable, toInt(writeFilter(filter_)));
  buildAxisFilter(filter_, {map.yy, map.dy}, rows.first, rows.count(), bounds.top, bounds.bottom,
                  FilterShape::kSoft);
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

SampleBounds LayerRecords::writeSampler(uint32_t sampler, PlaneGroup group, const SourcePicture& picture,
                                        const Rect& crop, int level) {
  const SurfaceLayout& planes = picture.levels[level];
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

RecordNeeds LayerRecords::writeTurned(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                      const SourcePicture& picture, const Rect& crop,
                                      const Placement& placement, const Affine& pictureFromCanvas,
                                      double shrink) {
  const Rect& window = placement.window;
  coverage_.cover(window, surface, group);
  if (coverage_.empty()) return {.empty = true};
  LevelChoice choice = chooseLevel(shrink / 1.2, 1.0);
  while (std::max(picture.width, picture.height) >> choice.level > kLargestWalkable) ++choice.level;
  const int count = choice.towardsNext > 0 ? 2 : 1;
  std::array<Affine, 2> maps;
  RecordNeeds needs{.kinds = kTurnedKind};
  for (int i = 0; i < count; ++i) {
    const int found = foundLevel(picture, choice.level + i);
    const uint32_t sampler = record + static_cast<uint32_t>(kSampler + i * kSamplerWords);
    writeSampler(sampler, group, picture, crop, found);
    Affine& map = maps[static_cast<size_t>(i)];
    map = planeMapping(group, pictureFromCanvas, picture.chromaOffset, found);
    needs.levels = found + 1;
  }
  const Affine everywhere{window.width, 0, window.x, 0, window.height, window.y};
  tables_.set(record + kTowardsNext, choice.towardsNext);
  tables_.set(record + kKind, kTurnedKind);
  writeQuadRows(record, placement.endless ? everywhere : placement.toSurface, group, placement.opacity,
                {maps.data(), static_cast<size_t>(count)});
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
  const SourcePicture picture = sourceOf(from);
  writeSampler(record + kSampler, group, picture, {0, 0, from.width * 1.0, from.height * 1.0}, 0);
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
