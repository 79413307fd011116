#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/image.h"
#include "core/result.h"
#include "libav/decode/video_decoder.h"
#include "timeline/timeline.h"

// The engine's acts. Each blocks the calling thread until done, uses threads of its own inside, and can
// be cancelled from any thread (it then fails with CANCELLED and leaves no file behind).
namespace framewright {

struct FrameRange {
  int64_t first = 0;
  int64_t end = 0;  // one past the last
};

// Called from the rendering thread, at most ~20 times a second: frames (or audio samples) done so far.
using ProgressSink = std::function<void(int64_t done)>;

// What one element's pictures took, whatever went on beside it.
struct ElementTimes {
  std::string label;  // Source::label; empty for layers without pictures: colours, waveforms, transitions
  double decodeSeconds = 0;   // reading and decoding, or preparing a still
  double composeSeconds = 0;  // drawing; 0 where the compositor cannot tell layers apart
};

struct SegmentFacts {
  int64_t frames = 0;
  int64_t composedFrames = 0;  // frames really drawn; the others repeated the one before
  int64_t encodedFrames = 0;   // frames that went through the encoder; the others repeat one in the stream
  int64_t copiedFrames = 0;    // frames taken from a film's file as they are coded there
  int mostAtOnce = 0;          // encoders that ran while this one did, itself included; 0: none was needed
  int64_t bytes = 0;
  double decodeSeconds = 0;            // time the composing thread waited for decoded pictures
  double composeSeconds = 0;           // thread time spent drawing
  double encodeSeconds = 0;            // time the encoding thread spent in the encoder
  std::vector<ElementTimes> elements;  // in no order
  std::string deviceFailure;           // of a graphics device that the CPU took over from; empty: of none
  // How frames came from the graphics device to the encoder: "cuda", "vaapi"; empty: through main memory, and
  // then why, where another way was tried.
  std::string handover, handoverReason;
  std::vector<DecodeReport>
      films;  // that were played, in no order; only where not the processor alone decodes
};

// Renders frames [first, end) into a file of encoded video packets (NUT, time base 1/fps, pts counted from
// the segment's first frame, first frame an IDR).
Result<SegmentFacts> renderSegment(const Timeline& timeline, FrameRange range, const std::string& path,
                                   const ProgressSink& progress, const CancelToken& cancel);

struct AudioFacts {
  int64_t samples = 0;
  int64_t bytes = 0;
};

// Mixes the whole movie's sound on one 48 kHz stereo clock and encodes it as AAC packets (NUT).
Result<AudioFacts> renderAudio(const Timeline& timeline, const std::string& path,
                               const ProgressSink& progress, const CancelToken& cancel);

struct StitchRequest {
  std::vector<std::string> segmentPaths;  // in order
  std::string audioPath;                  // empty: silent movie
  std::string outputPath;                 // .mp4; written beside itself first, then renamed
};

struct OutputFacts {
  int64_t frames = 0;
  int64_t bytes = 0;
  double durationSeconds = 0;
};

// Joins segments by packet copy and adds the sound: MP4, faststart, constant frame rate, colour tags in
// the SPS and in colr. Fails with STITCH_FAILED when the segments' codec headers differ.
Result<OutputFacts> stitch(const StitchRequest& request, const CancelToken& cancel);

// From now on what a frame has prepared and opened stays for the next one of the same files, as long as the
// process lives: for previews, whose frames are drawn one by one.
void keepMediaBetweenFrames();

// Draws one frame without encoding it; kRgbaStraight, opaque. For previews and `framewright frame`.
// `keptStills`: see render/kept_stills.h; empty: none are taken, and none are kept.
Result<ImagePtr> composeFrame(const Timeline& timeline, int64_t frame, const CancelToken& cancel,
                              const std::string& keptStills = "");

}  // namespace framewright
