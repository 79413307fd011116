#pragma once

#include "compositor/deep/planes/surfaces/straight_planes.h"
#include "kernels/color_lut.h"

namespace framewright {

// Maps the colours of a surface through a color table. Reuses its buffers; used by one thread.
class SurfaceGrader {
 public:
  explicit SurfaceGrader(const CanvasCurves& curves);
  // `table`: of gradeTableImage().
  void apply(PlaneSurface& surface, const ImagePtr& table);

 private:
  void prepare(const ImagePtr& table);
  // Straight luma at the chroma samples of a row.
  void siteLuma(const OverlaySamples& luma, int chromaRow);

  const kernels::SignalMatrix matrix_;
  const bool isBt2020_;
  StraightPlanes chroma_;
  ImagePtr table_;  // whose vertices are prepared
  std::vector<int16_t> vertices_, vertexLuma_;
  std::vector<int16_t> samples_[3], mapped_[2];
  std::vector<uint16_t> signals_[3];
};

}  // namespace framewright
