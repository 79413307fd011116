#include <algorithm>
#include <cmath>

#include "compositor/plan/quad_coverage.h"
#include "compositor/vulkan/records/layer_records.h"
#include "compositor/vulkan/shaders/record_fields.h"

namespace framewright::gpu {

void LayerRecords::writeQuadRowsOfPixels(uint32_t record, const CanvasSize& surface, const Affine& toSurface,
                                         const Rect& window, PlaneGroup group, double opacity,
                                         std::span<const Affine> walks) {
  if (!format_.isDeep() || group == PlaneGroup::kLuma)
    return writeQuadRows(record, toSurface, group, opacity, walks);
  RectCoverage pixels;
  pixels.cover(window, surface, PlaneGroup::kLuma);
  ChromaQuad chroma(toSurface, pixels, {leftEdge_, surface.width}, surface.height);
  writeQuadRows(record, toSurface, group, opacity, walks, &chroma);
}

void LayerRecords::writeQuadRows(uint32_t record, const Affine& toSurface, PlaneGroup group, double opacity,
                                 std::span<const Affine> walks, ChromaQuad* chroma) {
  const AxisCoverage &columns = coverage_.columns, &windowRows = coverage_.rows;
  const QuadCoverage quad(toSurface, group);
  const auto [firstRow, endRow] = chroma != nullptr ? chroma->rows() : quad.rows(windowRows);
  const uint32_t rows = tables_.add(static_cast<size_t>((endRow - firstRow) * kQuadRowWords));
  tables_.set(record + kQuadRows, static_cast<int>(rows));
  tables_.set(record + kQuadFirstRow, firstRow);
  tables_.set(record + kQuadEndRow, endRow);
  for (size_t i = 0; i < walks.size(); ++i) {
    const uint32_t sampler = record + static_cast<uint32_t>(kSampler) +
                             static_cast<uint32_t>(i) * static_cast<uint32_t>(kSamplerWords);
    tables_.set(sampler + kStepX, toFixedPosition(walks[i].xx));
    tables_.set(sampler + kStepY, toFixedPosition(walks[i].yx));
  }
  for (int y = firstRow; y < endRow; ++y) {
    const QuadCoverage::Span span =
        chroma != nullptr ? chroma->begin(y) : quad.span(y, columns, columns.first);
    if (span.empty()) continue;  // zeros: an empty row
    const double rowOpacity =
        opacity * (chroma != nullptr ? chroma->full() : 1.0 * windowRows.at(y) / kernels::kFullWeight);
    const uint32_t row = rows + static_cast<uint32_t>((y - firstRow) * kQuadRowWords);
    tables_.set(row + kQuadFirst, span.first);
    tables_.set(row + kQuadEnd, span.end);
    tables_.set(row + kQuadFullFirst, span.fullFirst);
    tables_.set(row + kQuadFullEnd, span.fullEnd);
    tables_.set(row + kQuadWeight, toWeight(rowOpacity));
    tables_.set(row + kQuadEdges, static_cast<int>(tables_.size()));
    const auto pushEdge = [&](int x) {
      if (chroma != nullptr) {
        tables_.push(toWeight(opacity * chroma->at(x)));
        return;
      }
      tables_.push(toWeight(quad.covered(x, y) * rowOpacity * columns.at(x) / kernels::kFullWeight));
    };
    for (int x = span.first; x < span.fullFirst; ++x) pushEdge(x);
    for (int x = span.fullEnd; x < span.end; ++x) pushEdge(x);
    for (size_t w = 0; w < walks.size(); ++w) {
      const Affine& map = walks[w];
      tables_.set(row + static_cast<uint32_t>(kQuadWalk) + static_cast<uint32_t>(w),
                  static_cast<int>(tables_.size()));
      for (int first = span.first; first < span.end; first += kSamplesPerWalk) {
        const double x = first + 0.5;
        tables_.push(toFixedPosition(map.xx * x + map.xy * (y + 0.5) + map.dx - 0.5));
        tables_.push(toFixedPosition(map.yx * x + map.yy * (y + 0.5) + map.dy - 0.5));
      }
    }
  }
}

void LayerRecords::writeAxisAlignedBox(uint32_t record, const CanvasSize& surface, const WaveformBars& bars) {
  tables_.set(record + kBoxColumns, static_cast<int>(tables_.size()));
  for (int x = 0; x < surface.width; ++x) {
    const double u = bars.toBox.xx * (x + 0.5) + bars.toBox.dx;
    const int bar = bars.barAt(u);
    tables_.push(bar);
    tables_.pushFloat(static_cast<float>(std::abs(u - (bar + 0.5) * bars.pitch)));
  }
  tables_.set(record + kBoxRows, static_cast<int>(tables_.size()));
  for (int y = 0; y < surface.height; ++y)
    tables_.pushFloat(static_cast<float>(bars.toBox.yy * (y + 0.5) + bars.toBox.dy - bars.baseline));
}

RecordNeeds LayerRecords::writeWaveform(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                                        const Layer& layer, const Placement& placement) {
  planWaveform(bars_, layer, placement.toSurface, placement.opacity);
  if (bars_.empty()) return {.empty = true};
  // Window weights are per pixel, also for chroma.
  coverage_.cover(placement.window, surface, PlaneGroup::kLuma);
  if (coverage_.empty()) return {.empty = true};
  writeCoverage(record, 1);
  const std::array<int, 3> yuv = format_.valuesOf(layer.fill);
  tables_.set(record + kValues, group == PlaneGroup::kLuma ? yuv[0] : yuv[1]);
  tables_.set(record + kValues + 1, yuv[2]);
  const Affine& toBox = bars_.toBox;
  const double box[] = {toBox.xx, toBox.xy, toBox.dx, toBox.yx, toBox.yy, toBox.dy};
  for (uint32_t i = 0; i < 6; ++i) tables_.setFloat(record + kBox + i, box[i]);
  tables_.setFloat(record + kBoxHeight, bars_.height);
  tables_.setFloat(record + kBarPitch, bars_.pitch);
  tables_.setFloat(record + kHalfBar, bars_.halfBarWidth);
  tables_.setFloat(record + kBoxOpacity, bars_.opacity);
  tables_.set(record + kBarCount, static_cast<int>(bars_.halfHeights.size()));
  tables_.set(record + kBars, static_cast<int>(tables_.size()));
  for (const double halfHeight : bars_.halfHeights) tables_.pushFloat(static_cast<float>(halfHeight));
  tables_.set(record + kWaveShape, static_cast<int>(bars_.shape));
  tables_.setFloat(record + kBaseline, bars_.baseline);
  tables_.setFloat(record + kCut, bars_.cut);
  tables_.setFloat(record + kBoxWidth, bars_.width);
  tables_.setFloat(record + kRadius, bars_.radius);
  tables_.set(record + kLineReach, bars_.shape == WaveformBars::Shape::kLine ? bars_.lineReach() : 0);
  tables_.set(record + kDirections, static_cast<int>(tables_.size()));
  for (const double direction : bars_.directions) tables_.pushFloat(static_cast<float>(direction));
  if (toBox.isAxisAligned() && bars_.shape == WaveformBars::Shape::kRow)
    writeAxisAlignedBox(record, surface, bars_);
  tables_.set(record + kKind, kWaveformKind);
  return {.kinds = kWaveformKind};
}

}  // namespace framewright::gpu
