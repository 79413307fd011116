#include "compositor/vulkan/records/chroma_quad.h"

#include <algorithm>

namespace framewright::gpu {

ChromaQuad::ChromaQuad(const Affine& toSurface, const RectCoverage& window, const SampleRange& columns,
                       int height)
    : quad_(toSurface, PlaneGroup::kLuma),
      window_(window),
      columns_(columns),
      height_(height),
      pixelRows_(window.empty() ? SampleRange{0, 0} : quad_.rows(window.rows)),
      rows_{pixelRows_.first / 2, (pixelRows_.end + 1) / 2} {}

double ChromaQuad::rowWeight(const PixelRow& row) const {
  if (row.y < window_.rows.first || row.y >= window_.rows.end) return 0;
  return static_cast<double>(window_.rows.at(row.y)) / kernels::kFullWeight;
}

QuadCoverage::Span ChromaQuad::begin(int row) {
  QuadCoverage::Span both;
  both.first = columns_.end;
  both.fullEnd = columns_.end;
  for (size_t i = 0; i < pair_.size(); ++i) {
    PixelRow& pixels = pair_[i];
    pixels.y = std::min(2 * row + static_cast<int>(i), height_ - 1);
    const bool isInside = pixels.y >= pixelRows_.first && pixels.y < pixelRows_.end;
    pixels.span =
        isInside ? quad_.span(pixels.y, window_.columns, window_.columns.first) : QuadCoverage::Span();
    if (pixels.span.empty()) {
      both.fullEnd = 0;
      continue;
    }
    both.first = std::min(both.first, pixels.span.first);
    both.end = std::max(both.end, pixels.span.end);
    both.fullFirst = std::max(both.fullFirst, pixels.span.fullFirst);
    both.fullEnd = std::min(both.fullEnd, pixels.span.fullEnd);
  }
  if (both.empty()) return {};
  // A sample reaches one pixel beyond its even column to both sides.
  QuadCoverage::Span span;
  span.first = both.first / 2;
  span.end = std::min((columns_.end + 1) / 2, both.end / 2 + 1);
  span.fullFirst = std::clamp(both.fullFirst / 2 + 1, span.first, span.end);
  span.fullEnd = std::clamp(both.fullEnd / 2, span.fullFirst, span.end);
  return span;
}

double ChromaQuad::pixelAt(const PixelRow& row, int x) const {
  const QuadCoverage::Span& span = row.span;
  if (x < span.first || x >= span.end) return 0;
  const double covered = x >= span.fullFirst && x < span.fullEnd ? 1 : quad_.covered(x, row.y);
  return covered * window_.columns.at(x) / kernels::kFullWeight * rowWeight(row);
}

double ChromaQuad::full() const { return (rowWeight(pair_[0]) + rowWeight(pair_[1])) / 2; }

double ChromaQuad::at(int x) const {
  const int middle = 2 * x;
  const int left = middle == columns_.first ? middle : std::max(middle - 1, 0);
  const int right = std::min(middle + 1, columns_.end - 1);
  double sum = 0;
  for (const PixelRow& row : pair_)
    sum += pixelAt(row, left) + 2 * pixelAt(row, middle) + pixelAt(row, right);
  return sum / 8;
}

}  // namespace framewright::gpu
