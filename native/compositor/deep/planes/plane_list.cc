#include "compositor/deep/planes/plane_list.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "compositor/deep/planes/plane_coverage.h"
#include "core/planes.h"
#include "kernels/deep/plane_filters.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

constexpr int16_t kBlackLumaSample = 64 << kernels::kCodeFraction,
                  kBlackChromaSample = 512 << kernels::kCodeFraction;

// Calls visit(group, y) in the order in which layers are drawn.
template <typename Visit>
void forRows(int top, int bottom, Visit visit) {
  for (int y = top; y < bottom; y += 2) {
    visit(PlaneGroup::kLuma, y);
    if (y + 1 < bottom) visit(PlaneGroup::kLuma, y + 1);
    visit(PlaneGroup::kChroma, y / 2);
  }
}

}  // namespace

PlaneList::PlaneList(const CanvasSize& canvas) : canvas_(canvas) {
  // Filters write whole blocks.
  for (auto& row : rows_) row.resize(static_cast<size_t>(canvas.width + kernels::kSampleBlock));
}

void PlaneList::add(std::unique_ptr<PlaneLayer> layer) {
  if (layer == nullptr) return;
  const std::array rows{layer->rows(PlaneGroup::kLuma), layer->rows(PlaneGroup::kChroma)};
  layers_.push_back({std::move(layer), rows});
}

int PlaneList::width(PlaneGroup group) const { return samplesAlong(canvas_.width, group); }

bool PlaneList::findActive(PlaneGroup group, int y) {
  active_.clear();
  bool hidesAll = false;
  // From the top down to what hides everything.
  for (size_t i = layers_.size(); i > 0 && !hidesAll; --i) {
    const Entry& entry = layers_[i - 1];
    const SampleRange rows = entry.rows[static_cast<size_t>(group)];
    if (y < rows.first || y >= rows.end) continue;
    const SampleRange span = entry.layer->span(group, y);
    if (span.end <= span.first) continue;
    active_.push_back({entry.layer.get(), span});
    hidesAll = span.first == 0 && span.end == width(group) && entry.layer->hides(group, y);
  }
  std::reverse(active_.begin(), active_.end());
  return hidesAll;
}

void PlaneList::drawActive(PlaneGroup group, int y, size_t first, const SampleRange& columns,
                           const SampleRow& to) {
  for (size_t i = first; i < active_.size(); ++i) {
    const Active& active = active_[i];
    if (active.span.first < columns.end && columns.first < active.span.end) active.layer->draw(group, y, to);
  }
}

void PlaneList::draw(PlaneGroup group, int y, const SampleRow& to) {
  const bool hidesAll = findActive(group, y);
  drawOver(group, y, hidesAll, {0, width(group)}, to);
}

void PlaneList::drawOver(PlaneGroup group, int y, bool hidesAll, const SampleRange& columns,
                         const SampleRow& to) {
  if (!hidesAll) {
    for (size_t i = 0; i < coloursOf(group); ++i)
      std::fill(to[i] + columns.first, to[i] + columns.end,
                group == PlaneGroup::kLuma ? kBlackLumaSample : kBlackChromaSample);
  }
  drawActive(group, y, 0, columns, to);
}

void PlaneList::findDrawn(const SampleRange& columns) {
  drawn_.clear();
  for (size_t i = 1; i < active_.size(); ++i) {
    const SampleRange& span = active_[i].span;
    const SampleRange seen{std::max(span.first, columns.first), std::min(span.end, columns.end)};
    if (seen.first < seen.end) drawn_.push_back(seen);
  }
  std::sort(drawn_.begin(), drawn_.end(),
            [](const SampleRange& a, const SampleRange& b) { return a.first < b.first; });
  size_t count = 0;
  for (const SampleRange& next : drawn_) {
    if (count > 0 && next.first <= drawn_[count - 1].end) {
      drawn_[count - 1].end = std::max(drawn_[count - 1].end, next.end);
    } else {
      drawn_[count++] = next;
    }
  }
  drawn_.resize(count);
}

void PlaneList::writeRow(Image& frame, PlaneGroup group, int y, bool isDithered, const SampleRange& columns) {
  const SampleRow row{rows_[0].data(), rows_[1].data()};
  const auto thresholds = kernels::sampleThresholds(y, isDithered);
  const auto codesOf = [&](size_t colour) {
    return reinterpret_cast<uint16_t*>(rowOf(frame.plane(planeOf(group, colour)), y));
  };
  const auto round = [&](const SampleRange& part) {
    for (size_t i = 0; i < coloursOf(group); ++i) {
      kernels::roundSamples(codesOf(i) + part.first, row[i] + part.first, thresholds,
                            static_cast<size_t>(part.first), static_cast<size_t>(part.end - part.first));
    }
  };
  const bool hidesAll = findActive(group, y);
  const auto codes = hidesAll ? active_[0].layer->codes(group, y) : std::nullopt;
  const auto samples = hidesAll && !codes ? active_[0].layer->samples(group, y) : std::nullopt;
  if (!codes && !samples) {
    drawOver(group, y, hidesAll, columns, row);
    return round(columns);
  }
  findDrawn(columns);
  for (size_t i = 0; i < coloursOf(group); ++i) {
    const int16_t* const from = codes ? (*codes)[i] : (*samples)[i];
    const auto show = [&](int first, int end) {
      const auto count = static_cast<size_t>(end - first);
      if (codes) {
        std::memcpy(codesOf(i) + first, from + first, count * sizeof(uint16_t));
      } else {
        kernels::roundSamples(codesOf(i) + first, from + first, thresholds, static_cast<size_t>(first),
                              count);
      }
    };
    int first = columns.first;
    for (const SampleRange& part : drawn_) {
      show(first, part.first);
      const auto count = static_cast<size_t>(part.end - part.first);
      if (codes) {
        kernels::samplesOfCodes(row[i] + part.first, from + part.first, count);
      } else {
        std::copy_n(from + part.first, count, row[i] + part.first);
      }
      first = part.end;
    }
    show(first, columns.end);
  }
  if (drawn_.empty()) return;
  drawActive(group, y, 1, columns, row);
  for (const SampleRange& part : drawn_) round(part);
}

void PlaneList::write(Image& frame, bool isDithered, std::span<const PixelRect> parts) {
  forRows(0, canvas_.height, [&](PlaneGroup group, int y) {
    SampleRange columns{width(group), 0};
    for (const PixelRect& part : parts) {
      const SampleRange rows = samplesOf(part.top, part.bottom, group),
                        own = samplesOf(part.left, part.right, group);
      if (y >= rows.first && y < rows.end)
        columns = {std::min(columns.first, own.first), std::max(columns.end, own.end)};
    }
    if (columns.first < columns.end) writeRow(frame, group, y, isDithered, columns);
  });
}

void PlaneList::writeSamples(Image& frame, int top, int bottom) {
  const SampleRow row{rows_[0].data(), rows_[1].data()};
  forRows(top, bottom, [&](PlaneGroup group, int y) {
    draw(group, y, row);
    for (size_t i = 0; i < coloursOf(group); ++i) {
      auto* const to = reinterpret_cast<int16_t*>(rowOf(frame.plane(planeOf(group, i)), y));
      std::copy_n(row[i], width(group), to);
    }
  });
}

}  // namespace framewright
