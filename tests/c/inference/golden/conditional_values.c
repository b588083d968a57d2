char *describe(struct job *job) {
  char *state = job->done ? "done" : job->started ? running_text : NULL;
  job->progress = job->total ? 100 * job->part / job->total : default_progress;
  return state ? state : strdup(job->owner ? job->owner->name : "nobody");
}
