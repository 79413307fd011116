#include "bitstream/h264/bits.h"
#include "bitstream/h264/headers.h"
#include "bitstream/h264/parameter_sets.h"
#include "bitstream/h264/skip_frame.h"
#include "x264/still_stretcher.h"
#include "targets.h"

namespace framewright::fuzz {

// The stream's first units are its parameter sets; the rest are pictures, each held for a while.
void h264(std::span<const uint8_t> bytes) {
  namespace h = framewright::h264;
  const auto headers = h::readStreamHeaders(bytes);
  for (const auto unit : h::unitsOf(bytes)) {
    const h::Bytes plain = h::unescaped(unit);
    h::Bytes escaped;
    h::appendEscaped(escaped, plain);
    if (!headers) continue;
    const auto slice = h::readSliceHeader(plain, *headers);
    if (!slice) continue;
    h::SliceHeader moved = *slice;
    moved.frameNum += 3;
    moved.order += 2;
    moved.removals = std::vector<uint32_t>{1, 0};
    static_cast<void>(h::withHeader(plain, *slice, moved, *headers));
    static_cast<void>(h::withPictureId(plain, *slice, *headers, 9));
  }
  h::ParameterSets sets;
  const auto ids = sets.add(bytes);
  h::Bytes renumbered;
  if (ids) static_cast<void>(sets.renumber(bytes, *ids, renumbered));
  static_cast<void>(sets.ofFilm(2));
  static_cast<void>(h::readSourceSets(bytes));
  // A picture of so many macroblocks is no movie's; skipping them all is what takes the time.
  if (!headers || !headers->canBeStretched() || headers->macroblocks > 8192) return;
  static_cast<void>(h::SkipPictures(*headers).make(5, 7));
  StillStretcher stretcher(*headers, [](const StillStretcher::Unit&) { return Status{}; });
  int64_t shown = 0;
  for (const auto unit : h::unitsOf(bytes)) {
    if (h::typeOf(unit) != h::kSlice && h::typeOf(unit) != h::kIdrSlice) continue;
    h::Bytes access;
    h::appendEscaped(access, h::unescaped(unit));
    stretcher.stretch(shown, 3, 2);
    if (!stretcher.take(access, shown, h::typeOf(unit) == h::kIdrSlice).ok()) return;
    if (++shown > 40) return;
  }
}

}  // namespace framewright::fuzz
