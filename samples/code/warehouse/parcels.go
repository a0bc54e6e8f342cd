package warehouse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Weight limits of the carrier, in grams.
const (
	letterLimit = 1000
	parcelLimit = 31500
)

// Parcel is a box that is ready for the carrier.
type Parcel struct {
	OrderID string
	Grams   int
	Carrier string
}

// Kind tells by its weight what a box is sent as: a letter, a parcel or freight.
func (p Parcel) Kind() string {
	switch {
	case p.Grams <= letterLimit:
		return "letter"
	case p.Grams <= parcelLimit:
		return "parcel"
	}
	return "freight"
}

// Booker tells the shop that parcels have left.
type Booker struct {
	Base   string
	Client *http.Client
}

// CreateShipment records a parcel that was handed to the carrier; the buyer gets a tracking link.
func (b *Booker) CreateShipment(p Parcel) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	url := fmt.Sprintf("%s/orders/%s/shipments", b.Base, p.OrderID)
	return b.retry(func() error { return b.post(url, body) })
}

func (b *Booker) post(url string, body []byte) error {
	answer, err := b.Client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 400 {
		return fmt.Errorf("the shop answered %d", answer.StatusCode)
	}
	return nil
}

// retry tries three times, a second longer each time, since the warehouse's line is poor.
func (b *Booker) retry(send func() error) error {
	var err error
	for n := 1; n <= 3; n++ {
		if err = send(); err == nil {
			return nil
		}
		time.Sleep(time.Duration(n) * time.Second)
	}
	return err
}
