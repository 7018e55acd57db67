// Package bridge stands between an office and the platforms that people use.
// An adapter turns what its platform says into an Event with the platform's own
// ids; the bridge finds out who that is and where it belongs, hands it to the
// office, and gives the adapter the receipt to show. Who may talk is decided
// here, never by an adapter; how a platform speaks is known to its adapter alone.
package bridge
