#pragma once

namespace framewright {

// How the R'G'B' signals of a canvas describe light.
enum class CanvasTransfer {
  kSdr,  // BT.709, which counts as sRGB
  kHlg,  // BT.2100 HLG, BT.2020 primaries
  kPq,   // BT.2100 PQ, BT.2020 primaries
};

// What a composition in high precision works on.
struct CanvasColor {
  CanvasTransfer transfer = CanvasTransfer::kSdr;
  bool isLinear = false;  // layers are blended in linear light

  bool isHdr() const { return transfer != CanvasTransfer::kSdr; }
  bool operator==(const CanvasColor&) const = default;
};

}  // namespace framewright
