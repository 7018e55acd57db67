package office

// recentEvents is how many events the process remembers beside the record. A
// caller looks an event up in the record before it hands it to the loop; what
// was committed between the two is found here.
const recentEvents = 4096

// recent remembers the receipts of the last events. The zero value is empty.
type recent struct {
	receipts map[string]Receipt
	ring     [recentEvents]string
	next     int
}

func (r *recent) find(event string) (Receipt, bool) {
	if event == "" {
		return Receipt{}, false
	}
	receipt, ok := r.receipts[event]
	return receipt, ok
}

func (r *recent) add(event string, receipt Receipt) {
	if event == "" {
		return
	}
	if r.receipts == nil {
		r.receipts = map[string]Receipt{}
	}
	delete(r.receipts, r.ring[r.next])
	r.ring[r.next] = event
	r.receipts[event] = receipt
	r.next = (r.next + 1) % recentEvents
}
