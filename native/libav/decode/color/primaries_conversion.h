#pragma once

#include <memory>

#include "kernels/ycbcr/primaries_rows.h"
#include "libav/decode/color/mapped_conversion.h"
#include "libav/decode/color/planar_rows.h"
#include "libav/decode/color/ratio_cells.h"

namespace framewright {

// Planar YCbCr of SDR video with other primaries to kI420. Used by one thread.
class PrimariesConversion final : public MappedConversion {
 public:
  // 4:2:0 and 4:2:2 with the transfer characteristics of BT.709, to 8 bits.
  static bool supports(const Request& request);

  explicit PrimariesConversion(const Request& request);

  Result<ImagePtr> run(const AVFrame& frame) override;

 private:
  const Request request_;
  PlanarRows rows_;
  const std::shared_ptr<const RatioCells> cells_;
  kernels::PrimariesConversion conversion_;
};

}  // namespace framewright
