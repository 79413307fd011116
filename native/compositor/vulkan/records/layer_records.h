#pragma once

#include <optional>
#include <span>

#include "compositor/plan/axis_filter.h"
#include "compositor/plan/image_sampling.h"
#include "compositor/plan/waveform_bars.h"
#include "compositor/vulkan/device/device_image.h"
#include "compositor/vulkan/records/tables.h"

namespace framewright::gpu {

// An image to draw from: one of the timeline's, or what a pass before has drawn.
struct SourceImage {
  int width = 0, height = 0;
  bool isOpaque = false;
  double chromaOffset = 0.25;
  const SurfaceLayout* levels = nullptr;
  int levelCount = 1;
};
SourceImage sourceOf(const DeviceImage& image);
// `layout` must outlive the source.
SourceImage sourceOf(const SurfaceLayout& layout);

// Where a layer's content is drawn on a surface.
struct Placement {
  Affine toSurface;  // unit square of the content -> pixels of the surface
  Rect window;       // pixels of the surface
  double opacity = 1;
  bool extendsEdges = false;  // the content's edge samples fill the window
};

// What the device must provide for a record.
struct RecordNeeds {
  int kinds = 0;       // of record_fields.h
  int levels = 1;      // versions of the image that must have been made
  bool empty = false;  // nothing is drawn; there is no record
};

// Writes records for the shader: where a layer touches the planes of a surface, from compositor/plan. Each
// call is for one plane group. Reuses its buffers; used by one thread.
class LayerRecords {
 public:
  explicit LayerRecords(Tables& tables) : tables_(tables) {}

  // `record` points to kRecordWords words. `source` is the descriptor of the image, `crop` the part of it
  // that is drawn, in its pixels; sampling stays inside.
  RecordNeeds writeFill(uint32_t record, PlaneGroup group, const CanvasSize& surface, const Color& color,
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

  // The rows of a box on the pixels of a surface, not thinned by anything else.
  void writeShape(uint32_t record, const CanvasSize& surface, const Affine& box);
  // How much of each pixel of the surface is seen. False when nothing is.
  bool writeWindow(uint32_t record, const CanvasSize& surface, const Rect& window, double opacity);

 private:
  RecordNeeds writeAxisAligned(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                               const SourceImage& image, const Rect& crop, const Placement& placement,
                               const ImageSampling& sampling);
  RecordNeeds writeRotated(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                           const SourceImage& image, const Rect& crop, const Placement& placement,
                           const ImageSampling& sampling);
  // Copied or filtered: the kind.
  int writeAxisAlignedSampler(uint32_t sampler, PlaneGroup group, const SourceImage& image, const Rect& crop,
                              const Affine& imageFromCanvas, int level);
  SampleBounds writeSampler(uint32_t sampler, PlaneGroup group, const SourceImage& image, const Rect& crop,
                            int level);
  void writeCoverage(uint32_t record, double opacity);
  // Coverage of a rotated square, row by row. `walks` are the maps along which the samplers walk.
  void writeQuadRows(uint32_t record, const Affine& toSurface, PlaneGroup group, double opacity,
                     std::span<const Affine> walks);
  void writeAxisAlignedBox(uint32_t record, const CanvasSize& surface, const WaveformBars& bars);
  uint32_t writeFilter(const AxisFilter& filter);

  Tables& tables_;
  RectCoverage coverage_;
  WaveformBars bars_;
  AxisFilter filter_;
};

}  // namespace framewright::gpu
