#include "libav/decode/deinterlacer.h"

#include <cstring>

#include "kernels/deinterlace.h"
#include "libav/av_version.h"

namespace framewright {
namespace {

constexpr int kMinRows = 8;  // of a plane; smaller ones have no room for the filter's edges

bool matches(const SharedFrame& neighbour, const AVFrame& frame) {
  return neighbour != nullptr && neighbour->width == frame.width && neighbour->height == frame.height &&
         neighbour->format == frame.format;
}

struct PlaneSize {
  int width = 0, height = 0;
};

PlaneSize planeSize(const AVFrame& frame, const AVPixFmtDescriptor& format, int plane) {
  const bool isChroma = plane == 1 || plane == 2;
  return {isChroma ? AV_CEIL_RSHIFT(frame.width, format.log2_chroma_w) : frame.width,
          isChroma ? AV_CEIL_RSHIFT(frame.height, format.log2_chroma_h) : frame.height};
}

// One plane of the field's frame and its neighbours.
template <typename Sample>
class PlaneField {
 public:
  PlaneField(const Field& field, int plane, PlaneSize size)
      : frame_(*field.frame),
        previous_(matches(field.previous, frame_) ? *field.previous : frame_),
        next_(matches(field.next, frame_) ? *field.next : frame_),
        before_(field.isSecond ? frame_ : previous_),
        after_(field.isSecond ? next_ : frame_),
        isStill_(&before_ == &after_),
        firstRow_(field.isTop() ? 0 : 1),
        plane_(plane),
        size_(size) {}

  void write(AVFrame& to, int max) const {
    for (int y = 0; y < size_.height; ++y) {
      auto* const dst = reinterpret_cast<Sample*>(to.data[plane_] + y * ptrdiff_t{to.linesize[plane_]});
      if ((y & 1) == firstRow_) {
        std::memcpy(dst, row(frame_, y), static_cast<size_t>(size_.width) * sizeof(Sample));
      } else {
        interpolate(dst, y, max);
      }
    }
  }

 private:
  const Sample* row(const AVFrame& frame, int y) const {
    return reinterpret_cast<const Sample*>(frame.data[plane_] + y * ptrdiff_t{frame.linesize[plane_]});
  }

  void interpolate(Sample* dst, int y, int max) const {
    const int last = size_.height - 1;
    const auto count = static_cast<size_t>(size_.width);
    // Outside the plane the row on the other side of y takes the missing one's place.
    const auto mirrored = [&](int distance) {
      const int at = y + distance;
      return at >= 0 && at <= last ? at : y - distance;
    };
    const int up = mirrored(-1), down = mirrored(1);
    const bool isChecked = y >= 2 && y + 2 <= last;
    const bool isInner = y >= 4 && y + 4 <= last;
    const int up2 = isChecked ? y - 2 : y, down2 = isChecked ? y + 2 : y;
    const int up4 = isInner ? y - 4 : y, down4 = isInner ? y + 4 : y;
    const int up3 = y >= 3 ? y - 3 : down, down3 = y + 3 <= last ? y + 3 : up;
    const kernels::FieldRows<Sample> rows{
        row(frame_, up),    row(frame_, down),   row(frame_, up3),    row(frame_, down3),    row(before_, y),
        row(before_, up2),  row(before_, down2), row(before_, up4),   row(before_, down4),   row(after_, y),
        row(after_, up2),   row(after_, down2),  row(after_, up4),    row(after_, down4),    row(previous_, up),
        row(previous_, down), row(next_, up),    row(next_, down)};
    if (isStill_) {
      kernels::interpolateStillRow(dst, rows, count, max);
    } else if (isInner) {
      kernels::interpolateRow(dst, rows, count, max);
    } else {
      kernels::interpolateEdgeRow(dst, rows, count, isChecked);
    }
  }

  const AVFrame &frame_, &previous_, &next_, &before_, &after_;
  const bool isStill_;  // no field precedes or follows it
  const int firstRow_;
  const int plane_;
  const PlaneSize size_;
};

}  // namespace

bool canDeinterlace(const AVFrame& frame) {
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  constexpr uint64_t kOther =
      AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BE;
  if (format == nullptr || (format->flags & kOther) != 0) return false;
  const int planes = av_pix_fmt_count_planes(static_cast<AVPixelFormat>(frame.format));
  const int depth = format->comp[0].depth;
  return planes == format->nb_components && depth >= 8 && depth <= 16 &&
         planeSize(frame, *format, 1).height >= kMinRows;
}

Result<FramePtr> deinterlaceField(const Field& field) {
  const AVFrame& from = *field.frame;
  const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(from.format));
  FW_ASSIGN_OR_RETURN(FramePtr to, allocateFrame());
  to->format = from.format;
  to->width = from.width;
  to->height = from.height;
  if (av_frame_get_buffer(to.get(), 0) < 0 || av_frame_copy_props(to.get(), &from) < 0)
    return outOfMemory("frame");
  clearInterlaced(*to);
  const int depth = format.comp[0].depth;
  for (int plane = 0; plane < format.nb_components; ++plane) {
    const PlaneSize size = planeSize(from, format, plane);
    if (depth == 8) {
      PlaneField<uint8_t>(field, plane, size).write(*to, 255);
    } else {
      PlaneField<uint16_t>(field, plane, size).write(*to, (1 << depth) - 1);
    }
  }
  return to;
}

}  // namespace framewright
