#pragma once

#include <optional>
#include <span>

#include "compositor/plan/axis_filter.h"
#include "compositor/plan/image_sampling.h"
#include "compositor/plan/waveform_bars.h"
#include "compositor/vulkan/device/device_image.h"
#include "compositor/vulkan/device/sample_format.h"
#include "compositor/vulkan/records/chroma_quad.h"
#include "compositor/vulkan/records/tables.h"

namespace framewright::gpu {

// An image to sample: a prepared image or the result of an earlier pass.
struct SourceImage {
  int width = 0, height = 0;
  bool isOpaque = false;
  double chromaOffset = 0.25;
  const SurfaceLayout* levels = nullptr;
  int levelCount = 1;
  int firstLevel = 0;                           // the mip level of levels[0]
  int firstFraction = SampleFormat::kFraction;  // 16 bits: fraction bits of its samples
  bool isRgba() const { return levels->isRgba; }
};
SourceImage sourceOf(const DeviceImage& image);
// `layout` must outlive the source.
SourceImage sourceOf(const SurfaceLayout& layout);

// Position of a layer's content on a surface.
struct Placement {
  Affine toSurface;  // unit square of the content -> pixels of the surface
  Rect window;       // pixels of the surface
  double opacity = 1;
  bool extendsEdges = false;  // the content's edge samples fill the window
};

// A colour as values of the surface's samples.
struct FillValues {
  std::array<int, 3> yuv{};
  double alpha = 1;
};

// Requirements of a record.
struct RecordNeeds {
  int kinds = 0;       // bits of record_fields.h
  int levels = 1;      // required mip levels from SourceImage::levels on
  bool empty = false;  // nothing to draw; no record was written
};

// Writes the shader records of layers: coverage and sampling computed by compositor/plan. Each call is for
// one plane group. Reuses its buffers; used by one thread.
class LayerRecords {
 public:
  // `format` is that of the surfaces, and must outlive the records like the tables.
  LayerRecords(Tables& tables, const SampleFormat& format) : tables_(tables), format_(format) {}

  // The canvas's first column on the surface that is drawn to: samples of chroma of 16 bits repeat it. 0
  // unless the surface begins beside the canvas.
  int leftEdge() const { return leftEdge_; }
  void setLeftEdge(int column) { leftEdge_ = column; }

  // `record` is the offset of kRecordWords words. `source` is the image's descriptor index, `crop` the drawn
  // part in image pixels.
  RecordNeeds writeFill(uint32_t record, PlaneGroup group, const CanvasSize& surface, const FillValues& color,
                        const Placement& placement);
  RecordNeeds writeWaveform(uint32_t record, PlaneGroup group, const CanvasSize& surface, const Layer& layer,
                            const Placement& placement);
  RecordNeeds writeImage(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                         const SourceImage& image, uint32_t source, const Rect& crop,
                         const Placement& placement);
  // Writes a surface whose sample (0, 0) is at canvas pixel (x, y), both even, visible through `window`.
  RecordNeeds writeSurface(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                           const SurfaceLayout& from, uint32_t source, int x, int y, const Rect& window,
                           double opacity);

  // Writes the rows of a box on a surface, without a window.
  void writeShape(uint32_t record, const CanvasSize& surface, const Affine& box);
  // Writes the visible share of each surface pixel. False if nothing is visible.
  bool writeWindow(uint32_t record, const CanvasSize& surface, const Rect& window, double opacity);

 private:
  RecordNeeds writeAxisAligned(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                               const SourceImage& image, const Rect& crop, const Placement& placement,
                               const ImageSampling& sampling);
  RecordNeeds writeRotated(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                           const SourceImage& image, const Rect& crop, const Placement& placement,
                           const ImageSampling& sampling);
  // Returns kCopiedKind or kFilteredKind.
  int writeAxisAlignedSampler(uint32_t sampler, PlaneGroup group, const SourceImage& image, const Rect& crop,
                              const Affine& imageFromCanvas, int level);
  // The chroma of an image of R, G, B and alpha.
  int writeChromaOfPixels(uint32_t sampler, const CanvasSize& surface, const SourceImage& image,
                          const Rect& drawn, const Rect& crop, const Affine& imageFromCanvas, int level);
  SampleBounds writeSampler(uint32_t sampler, PlaneGroup group, const SourceImage& image, const Rect& crop,
                            int level);
  // Computes coverage_ of an axis-aligned rectangle.
  void cover(const Rect& rect, const CanvasSize& surface, PlaneGroup group);
  void writeCoverage(uint32_t record, double opacity);
  // Writes the rectangle of coverage_ as if it were covered completely.
  void writeFullCoverage(uint32_t record, double opacity);
  // Writes row coverage of a rotated square. `walks` are the maps of the samplers' walks. `chroma`: the
  // coverage, where it is filtered from that of pixels, else null.
  void writeQuadRows(uint32_t record, const Affine& toSurface, PlaneGroup group, double opacity,
                     std::span<const Affine> walks, ChromaQuad* chroma = nullptr);
  // The same for colours that are those of pixels: fills, and images of R, G, B and alpha.
  void writeQuadRowsOfPixels(uint32_t record, const CanvasSize& surface, const Affine& toSurface,
                             const Rect& window, PlaneGroup group, double opacity,
                             std::span<const Affine> walks);
  void writeAxisAlignedBox(uint32_t record, const CanvasSize& surface, const WaveformBars& bars);
  uint32_t writeFilter(const AxisFilter& filter);

  Tables& tables_;
  const SampleFormat& format_;
  int leftEdge_ = 0;
  RectCoverage coverage_;
  WaveformBars bars_;
  AxisFilter filter_;
};

}  // namespace framewright::gpu
