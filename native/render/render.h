#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audio/beat_tracker.h"
#include "core/cancel_token.h"
#include "core/image.h"
#include "core/result.h"
#include "libav/decode/video_decoder.h"
#include "libav/outputs/movie_muxer.h"
#include "timeline/timeline.h"

// The engine's operations. Each blocks the calling thread until it is done, starts threads internally and may
// be cancelled from any thread; it then fails with CANCELLED and leaves no file behind.
namespace framewright {

// `error` with the source's label in front of its message, which names the element to the client.
inline Error labelledError(const Error& error, const Source& source) {
  if (source.label.empty() || error.code == ErrorCode::CANCELLED) return error;
  return {error.code, source.label + ": " + error.message, error.detail};
}

// Frames [first, end) of a timeline.
struct FrameRange {
  int64_t first = 0;
  int64_t end = 0;
};

// Receives the number of frames or audio samples done so far, at most about 20 times a second. Called on the
// rendering thread.
using ProgressSink = std::function<void(int64_t done)>;

// Thread time spent on the images of one element.
struct ElementTimes {
  std::string label;          // Source::label; empty for colours, waveforms and transitions
  double decodeSeconds = 0;   // reading, decoding and preparing
  double composeSeconds = 0;  // drawing; 0 where the compositor does not time layers
};

// What is missing of a damaged source that was rendered nevertheless.
struct SourceFaults {
  std::string label;  // Source::label
  // Of the video, during which the frame before is shown, or of the audio, which is silent.
  double lostSeconds = 0;
};

// A video that is shown unchanged, and whose frames are encoded nevertheless.
struct UncopiedVideo {
  std::string label;   // Source::label
  std::string reason;  // a predicate of the video
};

// Counts and times of one rendered segment.
struct SegmentResult {
  int64_t frames = 0;
  int64_t composedFrames = 0;   // the others repeat the frame before
  int64_t hostFrames = 0;       // see Compositor::hostFrames()
  int64_t encodedFrames = 0;    // the others repeat a frame within the stream
  int64_t interopCopies = 0;    // copied on the device for its encoder
  int64_t copiedFrames = 0;     // copied as coded packets from a source video
  int64_t footageFrames = 0;    // encoded as footage, with the encoder's own lookahead
  int maxParallelEncoders = 0;  // running at once while this one did, itself included; 0: none ran
  int64_t bytes = 0;
  double decodeSeconds = 0;             // time the composing thread waited for decoded images
  double composeSeconds = 0;            // thread time spent drawing
  double encodeSeconds = 0;             // thread time spent in the encoder
  std::vector<ElementTimes> elements;   // unordered
  std::string deviceFailure;            // why the CPU replaced a graphics device; empty: it did not
  std::string interop;                  // backend that kept frames on the device; empty: through main memory
  std::string interopReason;            // why a tried backend was not used
  std::vector<DecodeReport> videos;     // one per played video, unordered; only where hardware may decode
  std::vector<SourceFaults> faults;     // one per damaged video, unordered
  std::vector<UncopiedVideo> uncopied;  // in order of appearance
};

// Renders a range into a file of encoded video packets: NUT, time base 1/fps, pts counted from the segment's
// first frame, which is an IDR frame.
Result<SegmentResult> renderSegment(const Timeline& timeline, FrameRange range, const std::string& path,
                                    const ProgressSink& progress, const CancelToken& cancel);

// Size of a written audio file.
struct AudioResult {
  int64_t samples = 0;
  int64_t bytes = 0;
  std::vector<SourceFaults> faults;  // one per clip with damaged audio, unordered
};

// Mixes the whole movie's audio as 48 kHz stereo and encodes it as AAC packets (NUT), or writes it losslessly
// where `path` ends in .wav (24-bit PCM).
Result<AudioResult> renderAudio(const Timeline& timeline, const std::string& path,
                                const ProgressSink& progress, const CancelToken& cancel);

// Writes a media file's audio, from media time 0, as 16-bit mono WAV at `sampleRate`. Fails with
// MEDIA_UNSUPPORTED when it is longer than 4 hours.
Result<AudioResult> extractAudio(const std::string& path, const std::string& outputPath, int sampleRate,
                                 const CancelToken& cancel);

// Finds the beats of a media file's audio, in media time. `expectedTempo`: beats per minute, where known.
// Fails with MEDIA_UNSUPPORTED when it is longer than 4 hours.
Result<Beats> findBeats(const std::string& path, std::optional<double> expectedTempo,
                        const CancelToken& cancel);

// Joins segments by packet copy and adds the audio: constant frame rate, colour tags in the SPS and in the
// container. Fails with STITCH_FAILED when the segments' codec headers differ.
Result<MuxResult> stitch(const StitchRequest& request, const CancelToken& cancel);

// Composes one frame without encoding it; kRgbaStraight, opaque. `stillsFolder`: see
// render/sources/still_file_cache.h; empty: prepared stills are neither read nor written.
Result<ImagePtr> composeFrame(const Timeline& timeline, int64_t frame, const CancelToken& cancel,
                              const std::string& stillsFolder = "");

// Keeps prepared stills and open decoders between composeFrame() calls, until the process ends.
void cacheMediaBetweenFrames();

}  // namespace framewright
