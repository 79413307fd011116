#include <algorithm>
#include <cmath>

#include "compositor/vulkan/layer_records.h"
#include "compositor/vulkan/shaders/record_fields.h"
#include "compositor/vulkan/turned_square.h"
#include "timeline/waveform.h"

namespace framewright::gpu {
namespace {

constexpr double kLargestPosition = 32400;  // as cpu/draw_picture.cc has it

int32_t fixed(double value) {
  return static_cast<int32_t>(std::lround(std::clamp(value, -kLargestPosition, kLargestPosition) * 65536));
}

// As cpu/draw_waveform.cc has them.
constexpr double kTie = 1.0 / 1024;
constexpr double kBarShare = 0.52;
constexpr double kThinnest = 0.75;
constexpr double kCalmShare = 0.4;

}  // namespace

void LayerRecords::writeQuadRows(uint32_t record, const Affine& toSurface, PlaneGroup group, double opacity,
                                 std::span<const Affine> walks) {
  const AxisCoverage &columns = coverage_.columns, &windowRows = coverage_.rows;
  const TurnedSquare square(toSurface, group);
  const int firstRow = square.firstRow(windowRows), endRow = std::max(firstRow, square.endRow(windowRows));
  const uint32_t rows = tables_.add(static_cast<size_t>((endRow - firstRow) * kQuadRowWords));
  tables_.set(record + kQuadRows, static_cast<int>(rows));
  tables_.set(record + kQuadFirstRow, firstRow);
  tables_.set(record + kQuadEndRow, endRow);
  for (size_t i = 0; i < walks.size(); ++i) {
    const uint32_t sampler = record + static_cast<uint32_t>(kSampler) +
                             static_cast<uint32_t>(i) * static_cast<uint32_t>(kSamplerWords);
    tables_.set(sampler + kStepX, fixed(walks[i].xx));
    tables_.set(sampler + kStepY, fixed(walks[i].yx));
  }
  for (int y = firstRow; y < endRow; ++y) {
    const TurnedSquare::Span span = square.span(y, columns);
    if (span.first >= span.end) continue;  // a row of zeros ends where it starts
    const double rowOpacity = opacity * windowRows.at(y) / kernels::kFullWeight;
    const uint32_t row = rows + static_cast<uint32_t>((y - firstRow) * kQuadRowWords);
    tables_.set(row + kQuadFirst, span.first);
    tables_.set(row + kQuadEnd, span.end);
    tables_.set(row + kQuadFullFirst, span.fullFirst);
    tables_.set(row + kQuadFullEnd, span.fullEnd);
    tables_.set(row + kQuadWeight, toWeight(rowOpacity));
    tables_.set(row + kQuadEdges, static_cast<int>(tables_.size()));
    const auto pushEdge = [&](int x) {
      tables_.push(toWeight(square.covered(x, y) * rowOpacity * columns.at(x) / kernels::kFullWeight));
    };
    for (int x = span.first; x < span.fullFirst; ++x) pushEdge(x);
    for (int x = span.fullEnd; x < span.end; ++x) pushEdge(x);
    for (size_t w = 0; w < walks.size(); ++w) {
      const Affine& map = walks[w];
      tables_.set(row + static_cast<uint32_t>(kQuadWalk) + static_cast<uint32_t>(w),
                  static_cast<int>(tables_.size()));
      for (int first = span.first; first < span.end; first += kWalkLength) {
        const double x = first + 0.5;
        tables_.push(fixed(map.xx * x + map.xy * (y + 0.5) + map.dx - 0.5));
        tables_.push(fixed(map.yx * x + map.yy * (y + 0.5) + map.dy - 0.5));
      }
    }
  }
}

void LayerRecords::writeUprightBox(uint32_t record, const CanvasSize& surface, const Affine& toBox, int bars,
                                   double pitch, double height) {
  tables_.set(record + kBoxColumns, static_cast<int>(tables_.size()));
  for (int x = 0; x < surface.width; ++x) {
    const double u = toBox.xx * (x + 0.5) + toBox.dx;
    const int bar = std::clamp(static_cast<int>((u + kTie) / pitch), 0, bars - 1);
    tables_.push(bar);
    tables_.pushFloat(static_cast<float>(std::abs(u - (bar + 0.5) * pitch)));
  }
  tables_.set(record + kBoxRows, static_cast<int>(tables_.size()));
  for (int y = 0; y < surface.height; ++y)
    tables_.pushFloat(static_cast<float>(std::abs(toBox.yy * (y + 0.5) + toBox.dy - height / 2)));
}

RecordNeeds LayerRecords::writeWaveform(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                        const Layer& layer, const Placement& placement) {
  const Affine& to = placement.toSurface;
  const double width = std::hypot(to.xx, to.yx), height = std::hypot(to.xy, to.yy);
  if (layer.bars.empty() || width <= 0 || height <= 0) return {.empty = true};
  // The window is weighed by pixels for chroma too.
  coverage_.cover(placement.window, surface, PlaneGroup::kLuma);
  if (coverage_.empty()) return {.empty = true};
  writeCoverage(record, 1);
  const std::array<uint8_t, 3> yuv = yuvOf(layer.fill);
  tables_.set(record + kValues, group == PlaneGroup::kLuma ? yuv[0] : yuv[1]);
  tables_.set(record + kValues + 1, yuv[2]);
  const double pitch = width / static_cast<double>(layer.bars.size()), halfBar = kBarShare * pitch / 2;
  const Affine toBox = scaling(width, height) * inverse(to);
  const double box[] = {toBox.xx, toBox.xy, toBox.dx, toBox.yx, toBox.yy, toBox.dy};
  for (uint32_t i = 0; i < 6; ++i) tables_.setFloat(record + kBox + i, box[i]);
  tables_.setFloat(record + kBoxHeight, height);
  tables_.setFloat(record + kBarPitch, pitch);
  tables_.setFloat(record + kHalfBar, halfBar);
  tables_.setFloat(record + kBoxOpacity, placement.opacity * layer.fill.a / 255.0);
  tables_.set(record + kBarCount, static_cast<int>(layer.bars.size()));
  tables_.set(record + kBars, static_cast<int>(tables_.size()));
  const double thinnest = std::min(height / 2, std::max(kThinnest, kCalmShare * halfBar));
  for (const uint16_t bar : layer.bars)
    tables_.pushFloat(static_cast<float>(std::max(thinnest, bar * height / (2.0 * kWaveformSteps))));
  if (toBox.isAxisAligned())
    writeUprightBox(record, surface, toBox, static_cast<int>(layer.bars.size()), pitch, height);
  tables_.set(record + kKind, kWaveformKind);
  return {.kinds = kWaveformKind};
}

}  // namespace framewright::gpu
