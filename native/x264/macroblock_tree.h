#pragma once

#include <cstdint>
#include <vector>

#include "x264/lowres_frame.h"
#include "x264/motion_field.h"

namespace framewright {

// What of each block of a picture lives on in those that are made from it, in samples' differences: the more,
// the finer it is worth coding. Known from the last picture backwards ("macroblock tree" in x264's words).
using CarriedOn = std::vector<float>;

// What blocks cost that are made from the mean of two pictures, if they gain by it; or from the better one.
using BothCosts = std::vector<uint16_t>;

// A picture that another is made from.
struct MadeFrom {
  const SmallPicture* picture = nullptr;
  const MotionField* field = nullptr;  // from the other to this one
  CarriedOn* carriedOn = nullptr;      // of this one
};

// Two that another is made from, block by block from one of them or from the mean of both.
struct MadeFromBoth {
  MadeFrom before, after;
  const BothCosts* costs = nullptr;  // of the mean
};

BothCosts bothCosts(const SmallPicture& picture, const MadeFrom& before, const MadeFrom& after);

// Blocks of `picture` that cost less on their own.
int ownBlocks(const SmallPicture& picture, const MadeFromBoth& both);

// What `picture` takes from one or two others is added to what lives on of these: its own part of it, and
// what lives on of itself.
void passOn(const SmallPicture& picture, const CarriedOn& carriedOn, const MadeFrom& before);
void passOn(const SmallPicture& picture, const CarriedOn& carriedOn, const MadeFromBoth& both);

// By how much each block is worth coding finer, in quarter steps of the quantiser.
std::vector<uint8_t> worthFiner(const SmallPicture& picture, const CarriedOn& carriedOn);

}  // namespace framewright
