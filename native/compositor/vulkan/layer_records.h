#pragma once

#include <optional>
#include <span>

#include "compositor/cpu/axis_filter.h"
#include "compositor/cpu/draw_fill.h"
#include "compositor/vulkan/device_picture.h"
#include "compositor/vulkan/tables.h"

namespace framewright::gpu {

// A picture to draw from: one of the timeline's, or what a pass before has drawn.
struct SourcePicture {
  int width = 0, height = 0;
  bool isOpaque = false;
  double chromaOffset = 0.25;
  const SurfaceLayout* levels = nullptr;
  int levelCount = 1;
};
SourcePicture sourceOf(const DevicePicture& picture);
// `layout` must outlive the source.
SourcePicture sourceOf(const SurfaceLayout& layout);

// Where a layer's content is drawn on a surface.
struct Placement {
  Affine toSurface;  // unit square of the content -> pixels of the surface
  Rect window;       // pixels of the surface
  double opacity = 1;
  bool endless = false;  // fills the window, the content's edges going on
};

// What a record asks of the device besides itself.
struct RecordNeeds {
  int kinds = 0;       // of record_fields.h
  int levels = 1;      // versions of the picture that must have been made
  bool empty = false;  // nothing is drawn; there is no record
};

// Works out where layers touch the planes of a surface, with the CPU compositor's own geometry, and writes it
// down for the shader. Answers are for one plane group each. Keeps its buffers; used by one thread.
class LayerRecords {
 public:
  explicit LayerRecords(Tables& tables) : tables_(tables) {}

  // `record` points to kRecordWords words. `source` is the descriptor of the picture, `crop` the part of it
  // that is drawn, in its pixels; sampling stays inside.
  RecordNeeds writeFill(uint32_t record, PlaneGroup group, const CanvasSize& surface, const Color& color,
                        const Placement& placement);
  RecordNeeds writeWaveform(uint32_t record, PlaneGroup group, const CanvasSize& surface, const Layer& layer,
                            const Placement& placement);
  RecordNeeds writePicture(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                           const SourcePicture& picture, uint32_t source, const Rect& crop,
                           const Placement& placement);
  // A surface whose sample (0, 0) lies at canvas pixel (x, y), both even, seen through `window`.
  RecordNeeds writeSurface(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                           const SurfaceLayout& from, uint32_t source, int x, int y, const Rect& window,
                           double opacity);

  // The rows of a box on the pixels of a surface, not thinned by anything else.
  void writeShape(uint32_t record, const CanvasSize& surface, const Affine& box);
  // How much of each pixel of the surface is seen. False when nothing is.
  bool writeWindow(uint32_t record, const CanvasSize& surface, const Rect& window, double opacity);

 private:
  RecordNeeds writeUpright(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                           const SourcePicture& picture, const Rect& crop, const Placement& placement,
                           const Affine& pictureFromCanvas, double shrink);
  RecordNeeds writeTurned(uint32_t record, PlaneGroup group, const CanvasSize& surface,
                          const SourcePicture& picture, const Rect& crop, const Placement& placement,
                          const Affine& pictureFromCanvas, double shrink);
  // Copied or filtered: the kind.
  int writeUprightSampler(uint32_t sampler, PlaneGroup group, const SourcePicture& picture, const Rect& crop,
                          const Affine& pictureFromCanvas, int level);
  SampleBounds writeSampler(uint32_t sampler, PlaneGroup group, const SourcePicture& picture,
                            const Rect& crop, int level);
  void writeCoverage(uint32_t record, double opacity);
  // Coverage of a turned square, row by row. `walks` are the maps along which the samplers walk.
  void writeQuadRows(uint32_t record, const Affine& toSurface, PlaneGroup group, double opacity,
                     std::span<const Affine> walks);
  void writeUprightBox(uint32_t record, const CanvasSize& surface, const Affine& toBox, int bars,
                       double pitch, double height);
  uint32_t writeFilter(const AxisFilter& filter);

  Tables& tables_;
  RectCoverage coverage_;
  AxisFilter filter_;
};

}  // namespace framewright::gpu
