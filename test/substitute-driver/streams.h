#pragma once

#include <functional>

#include "substitute.h"

// Streams of work. Without semaphores a stream's work is done at once. From its first wait for a semaphore
// on, a stream's work is done in order by a thread of its own, as by a card.
//
// With `lazy-streams=1` in CUDA_SUBSTITUTE that work is done when something needs its results: the host
// synchronises, an encoder reads, or memory is released.
namespace substitute {

// Adds work that returns a status. Returns the error of earlier work of the stream, which stays for good.
CUresult enqueue(CUstream stream, std::function<CUresult()> work);
// Adds work that waits for something.
CUresult enqueueWait(CUstream stream, std::function<CUresult()> work);
// Waits for all work of the stream, or of all streams of the current context.
CUresult synchronize(CUstream stream, CUcontext context = currentContext());
CUresult synchronizeContext();
// Whether work of a context's streams is still to be done.
bool hasWork(CUcontext context = currentContext());
// The work of a context that ends is dropped.
void dropStreams(CUcontext context);

}  // namespace substitute
