#pragma once

#include <cstdint>
#include <vector>

#include "x264/lowres_frame.h"
#include "x264/motion_field.h"

namespace framewright::x264 {

// x264's macroblock tree: how much of each block's information later frames reuse, in SAD units. It is
// computed from the last frame of the window backwards; the more a block propagates, the lower its QP should
// be. Values in raster order.
using PropagateCosts = std::vector<float>;

// Inter cost of each block when predicted from the mean of two references, in raster order.
using BidirCosts = std::vector<uint16_t>;

// A frame that another one is predicted from. The pointers are borrowed.
struct Reference {
  const LowresFrame* frame = nullptr;
  const MotionField* field = nullptr;  // from the predicted frame to this one
  PropagateCosts* propagateCosts = nullptr;
};

// Both references of a B-frame; each block uses one of them or their mean.
struct BidirReference {
  Reference past, future;
  const BidirCosts* costs = nullptr;
};

// Computes the cost of bidirectional prediction of every block of `frame`.
BidirCosts computeBidirCosts(const LowresFrame& frame, const Reference& past, const Reference& future);

// Counts the blocks of a B-frame for which intra prediction is cheapest.
int intraBlockCount(const LowresFrame& frame, const BidirReference& references);

// Adds what `frame` takes from its references, with what it propagates itself, to their propagate costs.
void propagate(const LowresFrame& frame, const PropagateCosts& costs, const Reference& reference);
void propagate(const LowresFrame& frame, const PropagateCosts& costs, const BidirReference& references);

// QP offset of each macroblock in quarter steps, -100 to 0.
std::vector<int8_t> qpOffsetsQ2(const LowresFrame& frame, const PropagateCosts& costs);

}  // namespace framewright::x264
