#pragma once

#include <optional>

#include "timeline/draw_list.h"

// Where clips are at a frame, and their effects there. Pure; any thread.
namespace framewright {

// Where a clip is drawn: on the canvas or, in perspective, on a plane of its own.
struct Space {
  Affine outer;                          // pixels of the clip's container -> this space
  std::optional<Homography> projection;  // this space -> canvas
  double scale = 1;                      // of lengths from the container to the canvas
};
// `frame`: of the clip; `outer`: pixels of the clip's container -> canvas.
Space spaceOf(const Clip& clip, double frame, const Affine& outer);

// Where a clip is drawn while the shutter is open, and the copies of it that make its motion blur.
struct Exposure {
  Affine box;
  std::vector<Affine> copies;  // none if it moves too little
};
// `outer`: of the space in which the clip is drawn.
Exposure exposureOf(const Clip& clip, double frame, const Affine& outer);

// Unit square of the box's content -> canvas; differs from the box when the content is flipped.
Affine contentPlacement(const Clip& clip, const Affine& box);

// The effects that change a pixel. The caller sets the images of the grade and the mask.
std::optional<LayerEffects> effectsAt(const Clip& clip, Exposure exposure, const Space& space, double frame);

}  // namespace framewright
