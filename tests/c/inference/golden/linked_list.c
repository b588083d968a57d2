void queue_push(Queue *queue, void *payload) {
  Item *item = malloc(sizeof(Item));
  if (!item) abort();
  item->payload = payload;
  item->next = NULL;
  if (queue->last)
    queue->last->next = item;
  else
    queue->first = item;
  queue->last = item;
  queue->length++;
}
