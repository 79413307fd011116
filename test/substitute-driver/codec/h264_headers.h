#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace substitute {

// What a driver knows of the sequence and picture parameter sets of an H.264 picture: enough to write sets
// with which its slices are decoded. Frames of 4:2:0 with 8 bits, flat scaling lists.
struct H264Headers {
  int widthInMbs = 0, heightInMbs = 0;
  int log2MaxFrameNum = 4, pocType = 0, log2MaxPocLsb = 4;
  bool hasDeltaPocAlwaysZero = false, isFramesOnly = true, isMbaff = false, isDirect8x8 = true;
  int referenceFrames = 1;
  bool isCabac = false, hasPocInFrame = false, isWeighted = false;
  int weightedBipred = 0;
  int references[2] = {1, 1};  // default count of each list
  int initialQp = 26;
  int chromaQpOffsets[2] = {0, 0};
  bool hasDeblockingControl = false, isConstrainedIntra = false, hasRedundantPictures = false, is8x8 = false;
};

// Both parameter sets in Annex B format; the slices that follow refer to picture parameter set `id`.
std::vector<uint8_t> parameterSetsOf(const H264Headers& headers, uint32_t id);

// The picture parameter set that a slice NAL unit (without start code) refers to.
uint32_t parameterSetOfSlice(const uint8_t* unit, size_t size);

}  // namespace substitute
