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

// natives remembers what platforms lately called messages, for what is decided
// before the record could be asked. The zero value is empty.
type natives struct {
	known map[string]thread
	ring  [recentEvents]string
	next  int
	// threads are the platforms' ids of the office's threads.
	threads map[threadKey]string
}

// threadKey is a thread of the office, as a portal shows it.
type threadKey struct {
	portal PortalID
	root   Anchor
}

// stands remembers what a platform calls a thread of the office.
func (n *natives) stands(p PortalID, root Anchor, id string) {
	if n.threads == nil || len(n.threads) >= recentEvents {
		n.threads = map[threadKey]string{}
	}
	n.threads[threadKey{p, root}] = id
}

func nativeKey(p PortalID, id string) string { return string(p) + "\x00" + id }

func (n *natives) find(p PortalID, id string) (thread, bool) {
	t, ok := n.known[nativeKey(p, id)]
	return t, ok
}

func (n *natives) add(p PortalID, id string, t thread) {
	if n.known == nil {
		n.known = map[string]thread{}
	}
	if t.root != nil && len(t.root.Text) > 0 {
		// Only its place and its author are of use, and texts are not bounded here.
		light := *t.root
		light.Text, light.Deliveries = "", nil
		t.root = &light
	}
	key := nativeKey(p, id)
	if _, again := n.known[key]; !again {
		delete(n.known, n.ring[n.next])
		n.ring[n.next] = key
		n.next = (n.next + 1) % recentEvents
	}
	n.known[key] = t
}

// spoke remembers who spoke last in a thread, the office left out.
func (n *natives) spoke(p PortalID, id string, by Author) {
	t, ok := n.find(p, id)
	if !ok || by.Kind == ByOffice {
		return
	}
	t.speaker = by
	n.known[nativeKey(p, id)] = t
}
